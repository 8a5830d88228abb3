/**
 * The stand-in shops as a server of this machine. The environment names SHOPS_PORT, SHOPS_CONFIG (a file with
 * the access to each shop and its webhooks) and SHOPS_JOURNAL (the documents of earlier starts).
 */
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Answered } from "./misbehave.ts";
import { createShops } from "./shops.ts";
import { openStores } from "./store.ts";

const MOST_BYTES = 8 * 1_048_576;

class TooLarge extends Error {}

export type Answering = (request: Request) => Promise<Answered>;

/** Answers requests of Node's server. */
export function listener(url: string, answer: Answering) {
  return (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    answerOf(incoming, url, answer).then(
      async (answered) => {
        if (answered === "cut") outgoing.destroy();
        else await write(answered, outgoing);
      },
      (error) => {
        const [status, message] =
          error instanceof TooLarge
            ? [413, `A body may have ${MOST_BYTES} bytes.`]
            : [500, error instanceof Error ? error.message : "unknown"];
        if (status === 500) console.error(error);
        return write(Response.json({ error: "failed", message }, { status }), outgoing);
      },
    );
  };
}

async function answerOf(incoming: IncomingMessage, url: string, answer: Answering): Promise<Answered> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new TooLarge();
    chunks.push(chunk);
  }
  const { method = "GET", headers } = incoming;
  const sent = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value] as [string, string]],
  );
  const hasBody = size > 0 && method !== "GET" && method !== "HEAD";
  const body = hasBody ? { body: Buffer.concat(chunks) } : {};
  return answer(new Request(new URL(incoming.url ?? "/", url), { method, headers: sent, ...body }));
}

async function write(answered: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(answered.status, Object.fromEntries(answered.headers));
  outgoing.end(Buffer.from(await answered.arrayBuffer()));
}

/** Serves until the process ends; without its launcher, which holds its input open, it ends. */
function serve(environment: NodeJS.ProcessEnv): void {
  const { SHOPS_PORT: port, SHOPS_CONFIG: config = "", SHOPS_JOURNAL: journal } = environment;
  const url = `http://127.0.0.1:${port}`;
  const storeOf = openStores(journal);
  const shops = createShops({
    ...{ url, storeOf, configs: JSON.parse(readFileSync(config, "utf8")), fetch, now: Date.now },
    later: (delayMs, callback) => void setTimeout(callback, delayMs).unref(),
  });
  createServer(listener(url, shops)).listen(Number(port), "127.0.0.1");
  process.stdin.resume().once("end", () => process.exit(0));
}

if (import.meta.main) serve(process.env);
