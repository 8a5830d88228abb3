import { describe, expect, test } from "vitest";
import { ecbSource } from "../../../src/work/rates/update-rates.ts";
import { dailyXml, historyCsv, zipOf } from "../../support/builders/ecb.ts";
import { manualTimers } from "../../support/faults/manual-timers.ts";

const DAILY = dailyXml("2026-03-05", { USD: "1.1618" });
const RATES = [{ day: "2026-03-05", currency: "USD", rate: "1.1618" }];

interface Asked {
  readonly url: string;
  readonly init: RequestInit;
}

function sourceOf(
  answer: (asked: Asked) => Response | Promise<Response>,
  baseUrl = "https://ecb.example/fx",
) {
  const asked: Asked[] = [];
  const timers = manualTimers();
  const source = ecbSource({
    baseUrl,
    after: timers.after,
    fetch: async (url, init) => {
      asked.push({ url, init });
      return await answer({ url, init });
    },
  });
  return { source, asked, timers };
}

describe("the requested addresses", () => {
  test.each([["https://ecb.example/fx"], ["https://ecb.example/fx/"]])("below %s", async (baseUrl) => {
    const { source, asked } = sourceOf(() => new Response(DAILY), baseUrl);
    await source.fetch("daily");
    await source.fetch("history");
    expect(asked.map(({ url }) => url)).toEqual([
      "https://ecb.example/fx/eurofxref-daily.xml",
      "https://ecb.example/fx/eurofxref-hist.zip",
    ]);
  });

  test("redirects are not followed", async () => {
    const { source, asked } = sourceOf(() => new Response(DAILY));
    await source.fetch("daily");
    expect(asked[0]?.init.redirect).toBe("manual");
  });
});

test("the daily file is read", async () => {
  const { source } = sourceOf(() => new Response(DAILY, { headers: { "Content-Type": "text/xml" } }));
  expect(await source.fetch("daily")).toEqual({ ok: true, value: RATES });
});

test("the packed history is read", async () => {
  const zip = await zipOf(historyCsv({ "2026-03-05": { USD: "1.1618" } }));
  const { source } = sourceOf(() => new Response(zip));
  expect(await source.fetch("history")).toEqual({ ok: true, value: RATES });
});

const HTML = { headers: { "Content-Type": "text/html; charset=utf-8" } };

describe("no answer", () => {
  test.each<[string, () => Response, string]>([
    ["a redirect", () => Response.redirect("https://ecb.example/elsewhere"), "status 302"],
    ["an error", () => new Response(DAILY, { status: 503 }), "status 503"],
    ["nothing new", () => new Response(null, { status: 204 }), "status 204"],
    ["a page by its type", () => new Response(DAILY, HTML), "a page"],
    ["a page by its start", () => new Response(" <!DOCTYPE html><html></html>"), "a page"],
    ["no body", () => new Response(null), "a page"],
    ["larger than the file can be", () => new Response("x".repeat(64 * 1024 + 1)), "more than 65536 bytes"],
  ])("%s", async (_, answer, detail) => {
    const { source } = sourceOf(answer);
    expect(await source.fetch("daily")).toEqual({ ok: false, error: { reason: "no_answer", detail } });
  });

  test("no connection, and what it said of it stays untold", async () => {
    const { source } = sourceOf(() => Promise.reject(new Error("getaddrinfo secret.internal")));
    expect(await source.fetch("daily")).toEqual({
      ok: false,
      error: { reason: "no_answer", detail: "no connection" },
    });
  });

  test("an address that is none", async () => {
    const source = ecbSource({ baseUrl: "nowhere", after: manualTimers().after, fetch });
    expect(await source.fetch("daily")).toMatchObject({ ok: false, error: { reason: "no_answer" } });
  });

  test("a body without end is left, not read", async () => {
    let chunks = 0;
    let cancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        chunks += 1;
        controller.enqueue(new Uint8Array(16 * 1024));
      },
      cancel() {
        cancelled = true;
      },
    });
    const { source } = sourceOf(() => new Response(endless));
    expect(await source.fetch("daily")).toMatchObject({ error: { detail: "more than 65536 bytes" } });
    expect(cancelled).toBe(true);
    expect(chunks).toBeLessThan(8);
  });

  test.each<[string, () => Response | Promise<Response>]>([
    ["an answer that does not begin", () => new Promise<Response>(() => {})],
    ["a body without an end", () => new Response(new ReadableStream<Uint8Array>())],
  ])("%s within ten seconds", async (_, answer) => {
    const { source, asked, timers } = sourceOf(answer);
    const waiting = source.fetch("daily");
    timers.elapse(9_999);
    expect(asked[0]?.init.signal?.aborted).toBe(false);
    timers.elapse(10_000);
    expect(await waiting).toEqual({ ok: false, error: { reason: "no_answer", detail: "too late" } });
    expect(asked[0]?.init.signal?.aborted).toBe(true);
  });
});

describe("unreadable, and the operator is alerted with the reason", () => {
  test.each<[string, string, string]>([
    ["cut off", DAILY.slice(0, 200), '{"reason":"unexpected_shape"}'],
    ["a DOCTYPE", DAILY.replace("?>", "?><!DOCTYPE x>"), '{"reason":"markup_not_allowed"}'],
    ["a rate of zero", DAILY.replace("1.1618", "0"), '{"reason":"invalid_rate","position":1}'],
    ["JSON", "{}", '{"reason":"date_column_missing","line":1}'],
  ])("%s", async (_, text, detail) => {
    const { source } = sourceOf(() => new Response(text));
    expect(await source.fetch("daily")).toEqual({ ok: false, error: { reason: "unreadable", detail } });
  });
});
