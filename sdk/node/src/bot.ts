import type { Result, Table, Turn } from "./views.js";

/** An action's notation, or its place in `turn.legalActions`. */
export type Choice = string | number;

/** A choice with a comment, which the record keeps: up to 200 characters, the rest is cut off. */
export interface Remark {
  choice: Choice;
  comment: string;
}

/** A player at one table. Every match has an instance of its own, made when the match begins. */
export interface Bot {
  /**
   * Returns the action to take. With a promise the bot thinks at several tables at once.
   *
   * What it throws, or a promise that is rejected, ends the process: the match is lost by CRASH.
   */
  act(turn: Turn): Choice | Remark | Promise<Choice | Remark>;

  /** Looks at how the match ended. */
  closed?(result: Result): void;
}

/** What makes a bot for a table. */
export type BotClass = new (table: Table) => Bot;

/** What a bot process says of itself. */
export interface Options {
  /** The ids of the games that it plays; without it, all. */
  games?: readonly string[];
  /** How many tables it can hold at once; without it, 1024. */
  maxTables?: number;
}
