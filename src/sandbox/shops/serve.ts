/**
 * The stand-in shops as a server of this machine. The environment names SHOPS_PORT, SHOPS_CONFIG (a file with
 * the access to each shop and its webhooks) and SHOPS_JOURNAL (the documents of earlier starts). It ends with
 * its input, which the launcher holds open.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { listener } from "./listener.ts";
import { createShops } from "./shops.ts";
import { openStores } from "./store.ts";

const { SHOPS_PORT: port, SHOPS_CONFIG: config = "", SHOPS_JOURNAL: journal } = process.env;
const url = `http://127.0.0.1:${port}`;
const shops = createShops({
  ...{ url, storeOf: openStores(journal), fetch, now: Date.now },
  configs: JSON.parse(readFileSync(config, "utf8")),
  later: (delayMs, callback) => void setTimeout(callback, delayMs).unref(),
});
const server = createServer(listener(url, shops));
// Node closes idle connections after five seconds, just when the callers' hints are due: calls would break.
server.keepAliveTimeout = 75_000;
server.listen(Number(port), "127.0.0.1");
process.stdin.resume().once("end", () => process.exit(0));
