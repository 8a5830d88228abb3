import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { aeatTransport, endpointOf } from "../../../src/aeat/authority.ts";
import { aeatFolder } from "../../support/authority/aeat-folder.ts";
import { manualTimers } from "../../support/faults/manual-timers.ts";

const BYTES = new TextEncoder().encode("<a/>");
const URL = "https://prewww1.aeat.es/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP";

interface Asked {
  readonly url: string;
  readonly init: RequestInit;
}

function transportTo(answer: () => Response | Promise<Response>, answerLimitBytes?: number) {
  const asked: Asked[] = [];
  const timers = manualTimers();
  const { submit } = aeatTransport({
    fetch: async (url, init) => {
      asked.push({ url, init });
      return await answer();
    },
    after: timers.after,
    timeLimitMs: 120_000,
    userAgent: "Cuadre/1.0.0",
    ...(answerLimitBytes === undefined ? {} : { answerLimitBytes }),
  });
  return { submit: (limitMs?: number) => submit(BYTES, URL, limitMs), asked, timers };
}

test("a POST of the bytes as the WSDL has it, that follows no redirect", async () => {
  const answer = () => new Response("<b/>", { status: 200, headers: { "Content-Type": "text/xml" } });
  const { submit, asked } = transportTo(answer);
  const bytes = new TextEncoder().encode("<b/>");
  expect(await submit()).toEqual({ outcome: "answered", status: 200, contentType: "text/xml", bytes });
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({
    url: URL,
    init: {
      method: "POST",
      redirect: "manual",
      body: BYTES,
      headers: { "Content-Type": "text/xml; charset=utf-8", SOAPAction: '""', "User-Agent": "Cuadre/1.0.0" },
    },
  });
});

test.each([
  [
    "a redirect is an answer like others",
    () => new Response(null, { status: 302 }),
    { outcome: "answered", status: 302 },
  ],
  ["so is an error", () => new Response("x", { status: 500 }), { outcome: "answered", status: 500 }],
  [
    "the time to wait is reported",
    () => new Response("", { status: 429, headers: { "Retry-After": "90" } }),
    { outcome: "answered", status: 429, retryAfterSeconds: 90 },
  ],
  [
    "a date to wait for is not",
    () => new Response("", { status: 429, headers: { "Retry-After": "Fri, 27 Nov 2026 12:00:00 GMT" } }),
    { outcome: "answered", status: 429 },
  ],
  [
    "no connection",
    () => Promise.reject(new Error("connect to 10.0.0.1 failed")),
    { outcome: "no_connection" },
  ],
  ["more than is read", () => new Response("x".repeat(101)), { outcome: "too_large", status: 200 }],
  ["a connection that breaks", () => new Response(brokenBody()), { outcome: "interrupted", status: 200 }],
])("%s", async (_, answer, expected) => {
  const { submit } = transportTo(answer, 100);
  const outcome = await submit();
  expect(outcome).toMatchObject(expected);
  expect(JSON.stringify(outcome)).not.toContain("10.0.0.1");
});

describe("the time limit", () => {
  test("ends a call without an answer, and aborts the request", async () => {
    const { submit, asked, timers } = transportTo(() => new Promise<Response>(() => {}));
    const outcome = submit();
    timers.elapse(119_999);
    expect(asked[0]?.init.signal?.aborted).toBe(false);
    timers.elapse(120_000);
    expect(await outcome).toEqual({ outcome: "timeout" });
    expect(asked[0]?.init.signal?.aborted).toBe(true);
  });

  test.each([
    [10_000, 10_000],
    [500_000, 120_000],
  ])("may be shorter, never longer: %i asked, %i given", async (asked, given) => {
    const { submit, timers } = transportTo(() => new Promise<Response>(() => {}));
    let isOver = false;
    const outcome = submit(asked).finally(() => {
      isOver = true;
    });
    timers.elapse(given - 1);
    await Promise.resolve();
    expect(isOver).toBe(false);
    timers.elapse(given);
    expect(await outcome).toEqual({ outcome: "timeout" });
  });

  test("ends a body that never ends", async () => {
    let isRead = () => {};
    const reading = new Promise<void>((resolve) => {
      isRead = resolve;
    });
    const endless = new ReadableStream({ pull: () => isRead() }, { highWaterMark: 0 });
    const { submit, timers } = transportTo(() => new Response(endless));
    const outcome = submit();
    await reading;
    timers.elapse(120_000);
    expect(await outcome).toEqual({ outcome: "timeout" });
  });
});

describe("endpoints", () => {
  test.skipIf(aeatFolder === undefined)("are the four of the WSDL", () => {
    const wsdl = readFileSync(`${aeatFolder}/SistemaFacturacion.wsdl`, "utf8");
    const stated = [...wsdl.matchAll(/location="([^"]*VerifactuSOAP)"/g)].map(([, url]) => url);
    const ours = (["production", "test"] as const).flatMap((environment) =>
      (["certificate", "seal"] as const).map((certificate) => endpointOf({ environment, certificate })),
    );
    expect(ours).toEqual(stated);
  });

  test("another host answers the same path", () => {
    const choice = { environment: "test", certificate: "seal", baseUrl: "http://127.0.0.1:8789/" } as const;
    expect(endpointOf(choice)).toBe(
      "http://127.0.0.1:8789/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP",
    );
  });
});

function brokenBody(): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: (controller) => controller.error(new Error("reset")) });
}
