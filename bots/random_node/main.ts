import { run } from "cardpit";

import { Random } from "./bot";

run(Random);
