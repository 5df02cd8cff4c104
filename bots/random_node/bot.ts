import type { Bot, Table, Turn } from "cardpit";

/** Plays any legal action of any game, each as likely as the others. */
export class Random implements Bot {
  constructor(private readonly table: Table) {}

  act(turn: Turn): number {
    return this.table.random.below(turn.legalActions.length);
  }
}
