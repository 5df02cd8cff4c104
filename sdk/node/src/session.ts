import { create, toBinary } from "@bufbuild/protobuf";

import type { Bot, BotClass, Choice, Options, Remark } from "./bot.js";
import {
  type Decision,
  DecisionSchema,
  type PlayRequest,
  PlayRequestSchema,
  type PlayResponse,
  type Turn as TurnMessage,
} from "./cardpit/v1/referee_pb.js";
import { readResult, readTable, type Table, Turn } from "./views.js";

const PROTOCOL = 1;

interface Seating {
  table: Table;
  bot: Bot;
}

/** What one bot process says on its stream, whatever carries it: a bot at each table, an answer to each turn. */
export class Session {
  readonly #seatings = new Map<number, Seating>();
  #maxMessageSize = 64 * 1024;
  #maxCommentLength = 200;

  /** `send` takes every message for the referee. */
  constructor(
    private readonly bot: BotClass,
    private readonly options: Options,
    private readonly send: (request: PlayRequest) => void,
  ) {}

  /** Says Hello. */
  hello(token: string): void {
    const value = {
      token,
      protocol: PROTOCOL,
      sdkName: "cardpit-node",
      sdkVersion: "0.1.0",
      games: [...(this.options.games ?? [])],
      maxTables: this.options.maxTables ?? 1024,
    };
    this.send(create(PlayRequestSchema, { kind: { case: "hello", value } }));
  }

  /** Does what a message asks for. Returns whether there is more to come: false after Farewell. */
  receive(message: PlayResponse): boolean {
    const { case: kind, value } = message.kind;
    switch (kind) {
      case "turns":
        this.#answer(value.turns);
        break;
      case "tableOpened": {
        const table = readTable(value);
        this.#seatings.set(table.number, { table, bot: new this.bot(table) });
        break;
      }
      case "tableClosed": {
        const seating = this.#seatings.get(value.table);
        this.#seatings.delete(value.table);
        if (value.result !== undefined) {
          seating?.bot.closed?.(readResult(value.result));
        }
        break;
      }
      case "welcome":
        this.#maxMessageSize = value.maxMessageSize;
        this.#maxCommentLength = value.maxCommentLength;
        break;
    }
    return kind !== "farewell";
  }

  /** Answers in one message what can be answered at once; what a bot ponders follows when it is ready. */
  #answer(turns: readonly TurnMessage[]): void {
    const ready: Decision[] = [];
    for (const message of turns) {
      const seating = this.#seatings.get(message.table);
      if (seating === undefined) {
        throw new RangeError(`a turn at table ${message.table}: open are ${[...this.#seatings.keys()].join(", ")}`);
      }
      const choice = seating.bot.act(new Turn(seating.table, message));
      if (choice instanceof Promise) {
        void choice.then((later) => this.#decide([this.#decision(seating.bot, message, later)]));
      } else {
        ready.push(this.#decision(seating.bot, message, choice));
      }
    }
    if (ready.length > 0) {
      this.#decide(ready);
    }
  }

  #decision(bot: Bot, turn: TurnMessage, answer: Choice | Remark): Decision {
    const { choice, comment } =
      typeof answer === "object" && answer !== null ? answer : { choice: answer, comment: "" };
    const decision = create(DecisionSchema, { table: turn.table, turn: turn.turn });
    if (typeof choice === "string") {
      decision.choice = { case: "action", value: choice };
    } else if (Number.isInteger(choice)) {
      decision.choice = { case: "index", value: choice };
    } else {
      throw new TypeError(
        `${bot.constructor.name}.act returned ${choice}: allowed is an action of turn.legalActions, or its index`,
      );
    }
    decision.comment = comment.length > this.#maxCommentLength ? cut(comment, this.#maxCommentLength) : comment;
    return decision;
  }

  /** Sends decisions in as few messages as the referee's limit on their size allows. */
  #decide(decisions: Decision[]): void {
    const request = create(PlayRequestSchema, { kind: { case: "decisions", value: { decisions } } });
    if (decisions.length === 1 || toBinary(PlayRequestSchema, request).length <= this.#maxMessageSize) {
      this.send(request);
      return;
    }
    const half = decisions.length >> 1;
    this.#decide(decisions.slice(0, half));
    this.#decide(decisions.slice(half));
  }
}

/** Returns the first characters of a text. A character beyond U+FFFF is two units of a string, yet one of these. */
function cut(text: string, length: number): string {
  return [...text].slice(0, length).join("");
}
