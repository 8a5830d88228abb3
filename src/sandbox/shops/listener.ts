/** Requests of Node's server, answered as the shops answer them. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Answered } from "./misbehave.ts";

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
