/**
 * The proxy of wrangler in front of each local server loses a request now and then: it drops the connection
 * or answers 500 itself. Such a request is sent again. An answer of the product counts at once, with any
 * status.
 */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as openRequest,
  type ServerResponse,
} from "node:http";
import { setTimeout as delay } from "node:timers/promises";

const PATIENCE_MS = 60_000;
const BETWEEN_TRIES_MS = 100;

/** Every answer of the product has the id of its request; wrangler's own failures have none. */
function isOfProduct(status: number, requestId: unknown): boolean {
  return status < 500 || Boolean(requestId);
}

/** Repeats until there is an answer of the product; without one it returns wrangler's last, if any. */
async function untilOfProduct<Answer>(
  ask: () => Promise<Answer>,
  isOwn: (answer: Answer) => boolean,
): Promise<Answer | undefined> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await ask().catch(() => undefined);
    const isLast = Date.now() > deadline;
    if (isLast || (answer !== undefined && isOwn(answer))) return answer;
    await delay(BETWEEN_TRIES_MS);
  }
}

/** `fetch` for what the tests themselves ask of the local servers. */
export async function fetchPatiently(url: string, init: RequestInit = {}): Promise<Response> {
  const answer = await untilOfProduct(
    () => fetch(url, init),
    ({ status, headers }) => isOfProduct(status, headers.get("X-Request-Id")),
  );
  if (!answer) throw new Error(`${url} does not answer`);
  return answer;
}

export interface PatientProxy {
  readonly address: string;
  close(): void;
}

/** A proxy for all that a browser asks of the local servers, so that its pages need no patience of their own. */
export async function startPatientProxy(): Promise<PatientProxy> {
  const server = createServer((request, response) => {
    passOn(request, response).catch(() => response.destroy());
  });
  // Playwright's own requests ask for a tunnel; what comes through it is served here too.
  server.on("connect", (_, socket) => {
    socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    server.emit("connection", socket);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("the proxy listens on no port");
  return {
    address: `http://127.0.0.1:${address.port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function passOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await wholeOf(request);
  const answer = await untilOfProduct(
    () => askOnce(request, body),
    ({ status, requestId }) => isOfProduct(status, requestId) || response.destroyed,
  );
  if (!answer) {
    response.destroy();
    return;
  }
  response.writeHead(answer.status, answer.headers);
  response.end(answer.body);
}

interface Answer {
  readonly status: number;
  readonly requestId: unknown;
  /** Names and values in turn. */
  readonly headers: string[];
  readonly body: Buffer;
}

/** On a connection of its own, and read whole: a connection that breaks off fails here, not in the browser. */
async function askOnce({ url = "", method, headers }: IncomingMessage, body: Buffer): Promise<Answer> {
  const message = await new Promise<IncomingMessage>((answered, failed) => {
    const options = { method, headers: endToEnd(headers), agent: false } as const;
    const address = url.startsWith("/") ? `http://${headers.host}${url}` : url;
    openRequest(address, options, answered).on("error", failed).end(body);
  });
  return {
    status: message.statusCode ?? 0,
    requestId: message.headers["x-request-id"],
    headers: rawEndToEnd(message.rawHeaders),
    body: await wholeOf(message),
  };
}

/** Headers of one connection, which a proxy does not pass on. */
const OF_CONNECTION = new Set(["connection", "proxy-connection", "keep-alive", "transfer-encoding"]);

function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name)));
}

function rawEndToEnd(headers: readonly string[]): string[] {
  return headers.filter((_, index) => !OF_CONNECTION.has((headers[index - (index % 2)] ?? "").toLowerCase()));
}

async function wholeOf(message: IncomingMessage): Promise<Buffer> {
  return Buffer.concat(await message.toArray());
}
