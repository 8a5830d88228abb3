/** Requests that wrangler's proxy loses are sent again; answers of the product are passed on at once. */
import { createServer, request, type Server, type ServerResponse } from "node:http";
import { afterEach, expect, test } from "vitest";
import { fetchPatiently, type PatientProxy, startPatientProxy } from "../../support/browser/patience.ts";

type Answer = (response: ServerResponse, body: string) => void;

const lost: Answer = (response) => response.destroy();
const cut: Answer = (response) => {
  response.writeHead(200, { "Content-Length": "9" }).write("half", () => response.destroy());
};
const failedBefore: Answer = (response) => response.writeHead(500).end("Error: Network connection lost");
const failedWithin: Answer = (response) => response.writeHead(500, { "X-Request-Id": "r1" }).end("ours");
const refused: Answer = (response) => response.writeHead(404).end("none");
const echoed: Answer = (response, body) => {
  response.setHeader("Set-Cookie", ["one=1", "two=2"]);
  response.end(`got ${body}`);
};

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A server that gives these answers in turn, and how many requests have reached it. */
async function serverOf(...answers: readonly Answer[]) {
  let requests = 0;
  const server: Server = createServer(async (incoming, response) => {
    const body = Buffer.concat(await incoming.toArray()).toString();
    const answer = answers[Math.min(requests, answers.length - 1)];
    requests += 1;
    answer?.(response, body);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  ends.push(() => server.close());
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return { url: `http://127.0.0.1:${port}/path?query=1`, requests: () => requests };
}

interface Seen {
  readonly status: number | undefined;
  readonly text: string;
  readonly cookies: readonly string[];
}

/** As a browser asks a proxy: with the whole address. */
async function throughProxy(url: string, body = ""): Promise<Seen> {
  const proxy: PatientProxy = await startPatientProxy();
  ends.push(() => proxy.close());
  const { port } = new URL(proxy.address);
  return new Promise((seen, failed) => {
    const options = { host: "127.0.0.1", port, path: url, method: "POST", agent: false } as const;
    const asked = request(options, async (answer) => {
      const text = Buffer.concat(await answer.toArray()).toString();
      seen({ status: answer.statusCode, text, cookies: answer.headers["set-cookie"] ?? [] });
    });
    asked.on("error", failed).end(body);
  });
}

const ROWS: [string, readonly Answer[], number, string, number][] = [
  ["an answer at once", [echoed], 200, "got sent", 1],
  ["a connection that is dropped", [lost, lost, echoed], 200, "got sent", 3],
  ["an answer that breaks off", [cut, echoed], 200, "got sent", 2],
  ["a 500 without the id of a request", [failedBefore, echoed], 200, "got sent", 2],
  ["a 500 of the product", [failedWithin, echoed], 500, "ours", 1],
  ["a refusal", [refused, echoed], 404, "none", 1],
];

test.each(ROWS)("a browser's request meets %s", async (_, answers, status, text, requests) => {
  const server = await serverOf(...answers);
  expect(await throughProxy(server.url, "sent")).toMatchObject({ status, text });
  expect(server.requests()).toBe(requests);
});

test("a request through a tunnel is passed on too", async () => {
  const { url, requests } = await serverOf(lost, echoed);
  const proxy = await startPatientProxy();
  ends.push(() => proxy.close());
  const { port } = new URL(proxy.address);
  const { host, pathname } = new URL(url);
  const text = await new Promise<string>((heard, failed) => {
    const asked = request({ host: "127.0.0.1", port, method: "CONNECT", path: host, agent: false });
    asked.on("error", failed).on("connect", (_, socket) => {
      const within = request({ createConnection: () => socket, path: pathname, headers: { Host: host } });
      within.on("error", failed).on("response", async (answer) => {
        heard(Buffer.concat(await answer.toArray()).toString());
      });
      within.end();
    });
    asked.end();
  });
  expect([text, requests()]).toEqual(["got ", 2]);
});

test("a browser receives every cookie", async () => {
  const { url } = await serverOf(echoed);
  expect((await throughProxy(url)).cookies).toEqual(["one=1", "two=2"]);
});

test.each(ROWS.filter(([name]) => name !== "an answer that breaks off"))(
  "a test's request meets %s",
  async (_, answers, status, text, requests) => {
    const server = await serverOf(...answers);
    const answer = await fetchPatiently(server.url, { method: "POST", body: "sent" });
    expect([answer.status, await answer.text(), server.requests()]).toEqual([status, text, requests]);
  },
);
