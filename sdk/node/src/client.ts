import { fromBinary, toBinary } from "@bufbuild/protobuf";
import * as grpc from "@grpc/grpc-js";

import type { BotClass, Options } from "./bot.js";
import { type PlayRequest, PlayRequestSchema, PlayResponseSchema, Referee } from "./cardpit/v1/referee_pb.js";
import { Session } from "./session.js";

/** Bytes: the turns of a thousand tables with long lists of actions. */
const LARGEST_MESSAGE = 64 * 1024 * 1024;

/** Milliseconds for the last bytes to leave, once nothing more is awaited. */
const PARTING_TIME = 50;

/**
 * Plays for the referee that started this process, then ends it.
 *
 * The exit status is 0 after Farewell or the end of the stream, 1 where the referee cannot be reached or refuses the
 * bot, and 2 where no referee started the process. What a bot throws ends the process as any uncaught error does.
 */
export function run(bot: BotClass, options: Options = {}): void {
  const address = process.env["CARDPIT_ADDRESS"];
  if (address === undefined) {
    console.error(`${bot.name} plays when a referee starts it (CARDPIT_ADDRESS is not set): submit it to a tournament`);
    process.exit(2);
  }
  const client = new grpc.Client(address, grpc.credentials.createInsecure(), {
    "grpc.default_authority": "localhost",
    "grpc.enable_http_proxy": 0,
    "grpc.max_receive_message_length": LARGEST_MESSAGE,
  });
  const call = client.makeBidiStreamRequest(
    `/${Referee.typeName}/${Referee.method.play.name}`,
    (request: PlayRequest) => Buffer.from(toBinary(PlayRequestSchema, request)),
    (bytes: Buffer) => fromBinary(PlayResponseSchema, bytes),
  );
  const session = new Session(bot, options, (request) => call.write(request));
  let parted = false;
  const part = (status: number): void => {
    if (!parted) {
      parted = true;
      call.end();
      setTimeout(() => process.exit(status), PARTING_TIME);
    }
  };
  call.on("data", (message) => {
    if (!parted && !session.receive(message)) {
      part(0);
    }
  });
  call.on("end", () => part(0));
  call.on("error", (error: grpc.ServiceError) => {
    if (!parted) {
      console.error(`the referee at ${address} ended the stream: ${error.message}`);
      part(1);
    }
  });
  session.hello(process.env["CARDPIT_TOKEN"] ?? "");
}
