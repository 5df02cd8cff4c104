import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { Duration } from "@bufbuild/protobuf/wkt";

import {
  Clock,
  type Event,
  type MatchResult,
  type Observation,
  SubstitutionReason,
  type TableOpened,
  Termination,
  type Turn as TurnMessage,
  TurnSchema,
  type Zone,
} from "./cardpit/v1/referee_pb.js";
import { Random } from "./random.js";

/** The time that a seat has, in seconds. */
export interface TimeControl {
  /** Free for each decision. */
  moveTime: number;
  /** For the whole match: what decisions take beyond `moveTime` is drawn from it. */
  bankTime: number;
  /** The longest that a match may take. */
  matchTime: number;
  /** A seat with so many strikes forfeits the match. */
  maxStrikes: number;
  /** Whether each tick closes on the wall clock. */
  realtime: boolean;
  /** How long a tick lasts on the wall clock. */
  tickTime: number;
}

/** A seat at a table, for one match. */
export interface Table {
  /** Names the table among those of this process. */
  readonly number: number;
  /** The game's id. */
  readonly game: string;
  readonly rulesVersion: number;
  /** Every parameter of the game with its value as text: `"true"`, `"4"`, `"redeal"`. */
  readonly parameters: ReadonlyMap<string, string>;
  /** This bot's seat, from 0, clockwise. */
  readonly seat: number;
  /** How many seats there are. */
  readonly seats: number;
  readonly timeControl: TimeControl;
  /** 32 bytes of private randomness for this seat. */
  readonly botSeed: Uint8Array;
  /** Random numbers from `botSeed`: a bot that draws from nothing else plays reproducibly. */
  readonly random: Random;
}

/** What the referee did in place of this seat's last answer. */
export interface Substitution {
  /** `timeout`, `illegal action` or `too late`. */
  reason: string;
  /** What was applied. */
  action: string;
  /** How many strikes the seat has now. */
  strikes: number;
}

/** How a match ended, by seat. */
export interface Result {
  /** In the game's unit. */
  payoffs: number[];
  /** 1 is best, equal places are shared. */
  places: number[];
  /** `normal`, or what the seat is at fault for. */
  terminations: string[];
}

/** A question to a bot. It needs no memory to be answered. */
export class Turn {
  readonly #message: TurnMessage;

  constructor(
    /** The table at which it is asked. */
    readonly table: Table,
    message: MessageInitShape<typeof TurnSchema>,
  ) {
    this.#message = create(TurnSchema, message);
  }

  /** Counts this seat's turns at this table, from 1. */
  get number(): number {
    return this.#message.turn;
  }

  /** Every action that may be chosen, in a fixed order. */
  get legalActions(): readonly string[] {
    return this.#message.legalActions;
  }

  /** All that the seat sees. */
  get observation(): Observation {
    return this.#message.observation as Observation;
  }

  /** The part of the match, from the game's page. */
  get phase(): string {
    return this.observation.phase;
  }

  /** What happened from this seat's last turn on, its own action included, oldest first. */
  get events(): readonly Event[] {
    return this.observation.events;
  }

  /** The cards in this seat's hand. */
  get hand(): readonly string[] {
    return this.zone("hand", this.table.seat).cards;
  }

  /** Seconds that are free for this decision. */
  get moveTime(): number {
    return seconds(this.#message.moveTime);
  }

  /** Seconds left for the rest of the match beyond that. */
  get bankTime(): number {
    return seconds(this.#message.bankTime);
  }

  /** What the referee did in place of the last answer, if it was late or illegal. */
  get substitution(): Substitution | undefined {
    const found = this.#message.substitution;
    return found && { reason: words(SubstitutionReason[found.reason]), action: found.action, strikes: found.strikes };
  }

  /** Returns the place of this name and owner; without an owner, a common one. Throws a RangeError listing them all. */
  zone(name: string, owner?: number): Zone {
    const zones = this.observation.zones;
    const found = zones.find((zone) => zone.name === name && zone.owner === owner);
    if (found === undefined) {
      const known = zones.map((zone) => (zone.owner === undefined ? zone.name : `${zone.name} of ${zone.owner}`));
      throw new RangeError(`no zone "${name}" with owner ${owner}: there are ${known.join(", ")}`);
    }
    return found;
  }

  /** Returns a named number. Throws a RangeError listing them all. */
  counter(name: string): number {
    const counters = this.observation.counters;
    const found = counters.find((counter) => counter.name === name);
    if (found === undefined) {
      throw new RangeError(`no counter "${name}": there are ${counters.map((counter) => counter.name).join(", ")}`);
    }
    return found.value;
  }
}

/** Returns a table as bots see it. */
export function readTable(message: TableOpened): Table {
  const control = message.timeControl;
  return {
    number: message.table,
    game: message.game,
    rulesVersion: message.rulesVersion,
    parameters: new Map(message.parameters.map((parameter) => [parameter.name, parameter.value])),
    seat: message.seat,
    seats: message.seats,
    timeControl: {
      moveTime: seconds(control?.moveTime),
      bankTime: seconds(control?.bankTime),
      matchTime: seconds(control?.matchTime),
      maxStrikes: control?.maxStrikes ?? 0,
      realtime: control?.clock === Clock.REALTIME,
      tickTime: seconds(control?.tickTime),
    },
    botSeed: message.botSeed,
    random: new Random(message.botSeed),
  };
}

/** Returns a result as bots see it. */
export function readResult(message: MatchResult): Result {
  return {
    payoffs: message.seats.map((seat) => seat.payoff),
    places: message.seats.map((seat) => seat.place),
    terminations: message.seats.map((seat) => words(Termination[seat.termination])),
  };
}

function seconds(duration: Duration | undefined): number {
  return duration === undefined ? 0 : Number(duration.seconds) + duration.nanos / 1e9;
}

function words(name: string | undefined): string {
  return (name ?? "unknown").toLowerCase().replaceAll("_", " ");
}
