/** Write a Cardpit bot: a class with `act(turn)`, then `run(TheClass)`. */
export type { Bot, BotClass, Choice, Options, Remark } from "./bot.js";
export * as cards from "./cards.js";
export { run } from "./client.js";
export { Random } from "./random.js";
export type { Result, Substitution, Table, TimeControl } from "./views.js";
export { Turn } from "./views.js";
export type { Event, Observation, Zone } from "./cardpit/v1/referee_pb.js";
