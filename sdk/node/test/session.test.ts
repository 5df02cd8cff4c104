import assert from "node:assert/strict";
import { test } from "node:test";

import { create, type MessageInitShape } from "@bufbuild/protobuf";

import { type PlayRequest, type PlayResponse, PlayResponseSchema, Termination } from "../src/cardpit/v1/referee_pb.js";
import { type Bot, type Choice, cards, Random, type Remark, type Result, type Table, type Turn } from "../src/index.js";
import { Session } from "../src/session.js";

const SEED = Uint8Array.from({ length: 32 }, (_, byte) => byte);

type Kind = MessageInitShape<typeof PlayResponseSchema>["kind"];

function response(kind: Kind): PlayResponse {
  return create(PlayResponseSchema, { kind });
}

function opened(table: number): PlayResponse {
  return response({ case: "tableOpened", value: { table, game: "landlord", seat: 1, seats: 2, botSeed: SEED } });
}

function turns(...tables: number[]): PlayResponse {
  const observation = {
    phase: "play",
    zones: [{ name: "hand", owner: 1, cards: ["QS", "X"] }],
    counters: [{ name: "multiplier", value: 2 }],
  };
  const legalActions = ["play Q", "play X", "pass"];
  return response({
    case: "turns",
    value: { turns: tables.map((table) => ({ table, turn: 7, observation, legalActions })) },
  });
}

class Tester implements Bot {
  static result: Result | undefined;

  constructor(readonly table: Table) {}

  act(turn: Turn): Choice | Remark | Promise<Choice> {
    assert.deepEqual(turn.hand.map(cards.rank), ["Q", "X"]);
    assert.equal(turn.counter("multiplier"), 2);
    assert.throws(() => turn.zone("stock"), /no zone "stock" with owner undefined: there are hand of 1/);
    switch (turn.table.number) {
      case 1:
        return { choice: 2, comment: "\u{1F0CF}".repeat(300) };
      case 2:
        return "play X";
      default:
        return Promise.resolve(0);
    }
  }

  closed(result: Result): void {
    Tester.result = result;
  }
}

function session(maxMessageSize = 65536): { sent: PlayRequest[]; session: Session } {
  const sent: PlayRequest[] = [];
  const session = new Session(Tester, { games: ["landlord"] }, (request) => sent.push(request));
  session.receive(response({ case: "welcome", value: { maxMessageSize, maxCommentLength: 200 } }));
  return { sent, session };
}

function decided(request: PlayRequest | undefined): [number, number, unknown, number][] {
  assert(request?.kind.case === "decisions");
  return request.kind.value.decisions.map((d) => [d.table, d.turn, d.choice.value, [...d.comment].length]);
}

test("a session says hello, answers all turns of a message in one, and ends at farewell", () => {
  const { sent, session: tested } = session();
  tested.hello("secret");
  assert(sent[0]?.kind.case === "hello");
  assert.equal(sent[0].kind.value.token, "secret");
  assert.deepEqual(sent[0].kind.value.games, ["landlord"]);
  assert(tested.receive(opened(1)));
  assert(tested.receive(opened(2)));
  assert(tested.receive(turns(1, 2)));
  assert.deepEqual(decided(sent[1]), [[1, 7, 2, 200], [2, 7, "play X", 0]]);
  const seats = [{ payoff: -2, place: 2, termination: Termination.ILLEGAL_ACTION }];
  assert(tested.receive(response({ case: "tableClosed", value: { table: 1, result: { seats } } })));
  assert.deepEqual(Tester.result, { payoffs: [-2], places: [2], terminations: ["illegal action"] });
  assert.equal(tested.receive(response({ case: "farewell", value: { reason: "done" } })), false);
  assert.equal(sent.length, 2);
});

test("what a bot ponders is sent when it is ready", async () => {
  const { sent, session: tested } = session();
  tested.receive(opened(2));
  tested.receive(opened(3));
  tested.receive(turns(3, 2));
  assert.deepEqual(sent.map(decided), [[[2, 7, "play X", 0]]]);
  await new Promise(setImmediate);
  assert.deepEqual(decided(sent[1]), [[3, 7, 0, 0]]);
});

test("decisions that are too large for one message travel in several", () => {
  const { sent, session: tested } = session(20);
  tested.receive(opened(2));
  tested.receive(turns(2, 2, 2, 2));
  assert.deepEqual(sent.map((request) => decided(request).length), [1, 1, 1, 1]);
});

test("the random numbers are those of every kit", () => {
  const random = new Random(SEED);
  const draw = (count: number, next: () => number) => Array.from({ length: count }, next);
  assert.deepEqual(draw(4, () => random.next()), [1896324570, 633098894, 3018375, 2145950261]);
  assert.deepEqual(draw(8, () => random.below(52)), [47, 31, 28, 31, 42, 32, 47, 12]);
  assert.deepEqual(draw(3, () => random.below(3_000_000_000)), [2672327894, 2436581595, 2798424326]);
  assert.deepEqual(draw(3, () => random.below(3_000_000_000)), [298443684, 721305680, 2277623200]);
  const letters = [..."ABCDEFGH"];
  random.shuffle(letters);
  assert.equal(letters.join(""), "CBAFHDGE");
  assert.throws(() => random.below(0), /a number below 0/);
  assert.throws(() => new Random(new Uint8Array(32)), /a seed of 32 bytes/);
});

test("a card is a rank and a suit", () => {
  assert.deepEqual(cards.parseCards(" QS x  TD "), ["QS", "x", "TD"]);
  assert.deepEqual(["QS", "x"].map(cards.suit), ["S", ""]);
  assert.throws(() => cards.parseCards("QS 1S"), /"1S" is no card/);
  assert.equal(new Set(cards.PACK).size, 52);
});
