import assert from "node:assert/strict";
import { test } from "node:test";

import { Random as Numbers, type Table, Turn } from "cardpit";

import { Random } from "./bot";

test("the bot plays every legal action, and the same ones from the same seed", () => {
  const legalActions = ["play 3", "play 4", "pass"];
  const play = () => {
    const table = { random: new Numbers(new Uint8Array(32).fill(7)) } as Table;
    const bot = new Random(table);
    return Array.from({ length: 50 }, () => legalActions[bot.act(new Turn(table, { legalActions }))]);
  };
  const played = play();
  assert.deepEqual(new Set(played), new Set(legalActions));
  assert.deepEqual(play(), played);
});
