import { afterEach, describe, expect, test, vi } from "vitest";
import { signedHeaders } from "../../../src/domain/callback/message.ts";
import { messageSender } from "../../../src/work/send-message.ts";
import { aSecret, NOON } from "../../support/builders/callbacks.ts";
import { manualTimers } from "../../support/faults/manual-timers.ts";

const MESSAGE = {
  id: "msg_1",
  url: "https://tienda.es/pull?token=reservado&store_ids=1",
  body: '{"type":"pull.requested"}',
  secrets: { current: aSecret(1), previous: aSecret(2) },
  at: NOON,
};

interface Asked {
  readonly url: string;
  readonly init: RequestInit;
}

function senderTo(answer: () => Response | Promise<Response>) {
  const asked: Asked[] = [];
  const timers = manualTimers();
  const send = messageSender({
    after: timers.after,
    userAgent: "Cuadre/1.0.0",
    fetch: async (url, init) => {
      asked.push({ url, init });
      return await answer();
    },
  });
  return { send, asked, timers };
}

/** A body without an end; `reading` resolves when a read waits for it. */
function openBody() {
  let breakOff = (_: Error) => {};
  let isRead = () => {};
  const reading = new Promise<void>((resolve) => {
    isRead = resolve;
  });
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        breakOff = (why) => controller.error(why);
      },
      pull: () => isRead(),
    },
    { highWaterMark: 0 },
  );
  return { stream, reading, breakOff: () => breakOff(new Error("connection reset")) };
}

afterEach(() => {
  vi.restoreAllMocks();
});

test("a signed POST of JSON that follows no redirect", async () => {
  const { send, asked } = senderTo(() => new Response("ok"));
  expect(await send(MESSAGE)).toEqual({ outcome: { outcome: "delivered", status: 200 } });
  expect(asked).toEqual([
    {
      url: MESSAGE.url,
      init: {
        method: "POST",
        headers: {
          ...signedHeaders(MESSAGE),
          "Content-Type": "application/json",
          "User-Agent": "Cuadre/1.0.0",
        },
        body: MESSAGE.body,
        redirect: "manual",
        signal: expect.any(AbortSignal),
      },
    },
  ]);
  expect(new Headers(asked[0]?.init.headers).get("webhook-signature")).toMatch(/^v1,\S{44} v1,\S{44}$/);
});

describe("the outcome", () => {
  test.each<[string, () => Response, object]>([
    ["no content", () => new Response(null, { status: 204 }), { outcome: "delivered", status: 204 }],
    [
      "a redirect, wherever it leads",
      () => new Response(null, { status: 307, headers: { Location: "http://127.0.0.1/" } }),
      { outcome: "failed", cause: "redirect", status: 307 },
    ],
    ["gone", () => new Response("x", { status: 410 }), { outcome: "stopped", cause: "gone", status: 410 }],
    [
      "an error",
      () => new Response("Fatal error: reservado", { status: 500 }),
      { outcome: "failed", cause: "server_error", status: 500 },
    ],
  ])("%s", async (_, answer, outcome) => {
    expect(await senderTo(answer).send(MESSAGE)).toEqual({ outcome });
  });

  test("busy, and when to come back", async () => {
    const busy = () => new Response("", { status: 429, headers: { "Retry-After": "30" } });
    expect(await senderTo(busy).send(MESSAGE)).toEqual({
      outcome: { outcome: "failed", cause: "client_error", status: 429 },
      retryAfterSeconds: 30,
    });
  });

  test.each<[string, () => Promise<Response>]>([
    ["a call that fails", () => Promise.reject(new Error(`cannot reach ${MESSAGE.url}`))],
    [
      "a fetch that throws",
      () => {
        throw new TypeError(MESSAGE.url);
      },
    ],
  ])("no connection: %s, and what it said of it stays untold", async (_, fetch) => {
    const send = messageSender({ fetch, after: manualTimers().after, userAgent: "Cuadre/1.0.0" });
    expect(await send(MESSAGE)).toEqual({ outcome: { outcome: "failed", cause: "no_connection" } });
  });
});

describe("ten seconds", () => {
  test("an answer that does not begin is a timeout, and the call is given up", async () => {
    const { send, asked, timers } = senderTo(() => new Promise<Response>(() => {}));
    const waiting = send(MESSAGE);
    timers.elapse(9_999);
    expect(asked[0]?.init.signal?.aborted).toBe(false);
    timers.elapse(10_000);
    expect(await waiting).toEqual({ outcome: { outcome: "failed", cause: "timeout" } });
    expect(asked[0]?.init.signal?.aborted).toBe(true);
  });

  test.each([
    [200, { outcome: "delivered", status: 200 }],
    [503, { outcome: "failed", cause: "server_error", status: 503 }],
  ])("an answer %i that does not end has said its status", async (status, outcome) => {
    const { stream, reading } = openBody();
    const { send, timers } = senderTo(() => new Response(stream, { status }));
    const waiting = send(MESSAGE);
    await reading;
    timers.elapse(10_000);
    expect(await waiting).toEqual({ outcome });
  });

  test("no timer is left", async () => {
    const left = vi.fn();
    const send = messageSender({
      after: () => left,
      userAgent: "x",
      fetch: async () => new Response("ok"),
    });
    await send(MESSAGE);
    expect(left).toHaveBeenCalledOnce();
  });
});

describe("64 KiB", () => {
  function chunksOf(count: number) {
    let given = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (given === count) return controller.close();
          given += 1;
          controller.enqueue(new Uint8Array(16 * 1024));
        },
      },
      { highWaterMark: 0 },
    );
    return { body, given: () => given };
  }

  test("an answer is read to its end, so that the shop can finish", async () => {
    const { body, given } = chunksOf(4);
    await senderTo(() => new Response(body)).send(MESSAGE);
    expect(given()).toBe(4);
  });

  test("and no further; it counts all the same", async () => {
    const { body, given } = chunksOf(Number.POSITIVE_INFINITY);
    const result = await senderTo(() => new Response(body)).send(MESSAGE);
    expect(result).toEqual({ outcome: { outcome: "delivered", status: 200 } });
    expect(given()).toBe(5);
  });

  test("a connection that breaks in the middle takes nothing back", async () => {
    const body = openBody();
    const { send } = senderTo(() => new Response(body.stream));
    const waiting = send(MESSAGE);
    await body.reading;
    body.breakOff();
    expect(await waiting).toEqual({ outcome: { outcome: "delivered", status: 200 } });
  });
});

test("nothing is written to any log", async () => {
  const methods = ["debug", "error", "info", "log", "warn"] as const;
  const spies = methods.map((method) => vi.spyOn(console, method));
  await senderTo(() => new Response("reservado", { status: 500 })).send(MESSAGE);
  await senderTo(() => Promise.reject(new Error(MESSAGE.url))).send(MESSAGE);
  for (const spy of spies) expect(spy).not.toHaveBeenCalled();
});
