/** The load's test for an answer, and the calls it sends again. */
import { expect, test } from "vitest";
import { type Call, DONE } from "../../prove/crash/call.ts";
import { callerOf, NOT_OURS } from "../../prove/crash/caller.ts";

const SESSION = {
  demo: {
    api_url: "http://api.example",
    console_url: "http://console.example",
    connections: { api: { id: "cn1", key: "the-key" } },
  },
  cookie: "session=1",
  shopsUrl: "http://shops.example",
};

const ISSUE: Call = {
  ...{ id: "a/issue", kind: "issue", connection: "api", about: "a", method: "POST" },
  ...{ path: "/api/v1/invoice", body: { external_id: "a" }, expect: [DONE] },
};

interface Sent {
  readonly url: string;
  readonly init: RequestInit;
}

/** Answers in that order; an error is a connection that breaks. */
function answering(...answers: readonly (Response | Error)[]) {
  const sent: Sent[] = [];
  const pauses: number[] = [];
  const left = [...answers];
  const caller = callerOf(SESSION, {
    async fetch(url, init) {
      sent.push({ url: url.href, init });
      const next = left.shift();
      if (next instanceof Response) return next;
      throw next ?? new Error("no more answers");
    },
    async pause(milliseconds) {
      pauses.push(milliseconds);
    },
  });
  return { caller, sent, pauses };
}

const json = (status: number, body: object, headers = {}) => Response.json(body, { status, headers });
const done = (data: object, status = 200) => json(status, { success: true, data });
const refused = (status: number, code: string, headers = {}) =>
  json(status, { success: false, error_code: code }, headers);

test("after anything but an answer of the product the same body is sent again", async () => {
  const half = new Response('{"success":true,"da', { headers: { "Content-Type": "application/json" } });
  const { caller, sent, pauses } = answering(
    ...[new Error("refused"), new Response("Bad gateway", { status: 502 }), half, json(200, {})],
    refused(503, "temporarily_unavailable", { "Retry-After": "2" }),
    done({ number: 1 }, 201),
  );
  expect(await caller.until(ISSUE)).toMatchObject({ status: 201, code: DONE, tries: 6, data: { number: 1 } });
  expect(new Set(sent.map(({ init }) => init.body))).toEqual(new Set(['{"external_id":"a"}']));
  expect(caller.unanswered).toEqual({
    ...{ "no answer": 1, [`502 ${NOT_OURS}`]: 1, [`200 ${NOT_OURS}`]: 2, "503 temporarily_unavailable": 1 },
  });
  expect(pauses).toEqual([100, 200, 400, 800, 2_000]);
  expect(caller.told).toHaveLength(1);
});

test("a refusal is an answer, unless the call waits for it to pass", async () => {
  const { caller } = answering(refused(409, "idempotency_conflict"), refused(409, "too_early"), done({}));
  expect(await caller.until(ISSUE)).toMatchObject({ code: "idempotency_conflict", tries: 1 });
  expect(await caller.until({ ...ISSUE, awaits: ["too_early"] })).toMatchObject({ code: DONE, tries: 2 });
  expect([caller.early, caller.unanswered]).toEqual([1, {}]);
});

test("our own fault is reported, and the call sent again", async () => {
  const { caller } = answering(refused(500, "internal_error"), done({}));
  await caller.until(ISSUE);
  expect(caller.unanswered).toEqual({ "500 internal_error": 1 });
});

test("earlier values go into path and body; the owner's calls go to the console", async () => {
  const { caller, sent } = answering(done({ invoice_id: "in1", sha: "F" }), done({}), done({}));
  await caller.until(ISSUE);
  const from = { call: ISSUE.id, path: "invoice_id", body: { text: "sha" } };
  await caller.until({ ...ISSUE, id: "b", path: "/api/accounts/ac1/{}", body: { deed: "d" }, from });
  expect(sent.at(-1)).toMatchObject({
    url: "http://console.example/api/accounts/ac1/in1",
    init: { body: '{"deed":"d","text":"F"}', headers: { Cookie: "session=1" } },
  });
  const { caller: owner, sent: asOwner } = answering(done({ list: { version: "v1" } }), done({}));
  await owner.until(ISSUE);
  const seen = { call: ISSUE.id, body: { version: "list.version" } };
  await owner.until({ ...ISSUE, id: "d", body: { all: true }, from: seen });
  expect(asOwner.at(-1)).toMatchObject({ init: { body: '{"all":true,"version":"v1"}' } });
  await caller.until({ ...ISSUE, id: "c", path: "{}", from: { call: "unknown", path: "viewer_url" } });
  expect(sent.at(-1)).toMatchObject({
    url: "http://api.example/v/none",
    init: { headers: { "X-API-KEY": "the-key" } },
  });
});

test("pages are the viewer's own; any other HTML is none", async () => {
  const page = (status: number, headers: Record<string, string> = { "X-Robots-Tag": "noindex" }) =>
    new Response("<p>", { status, headers: { "Content-Type": "text/html; charset=utf-8", ...headers } });
  const { caller } = answering(page(200, {}), page(503), page(200), page(404), page(410));
  expect(await caller.until(ISSUE)).toMatchObject({ code: DONE, data: "<p>", tries: 3 });
  expect([(await caller.until(ISSUE)).code, (await caller.until(ISSUE)).code]).toEqual(["gone", "gone"]);
});

test("both ends of a call are counted on one clock", async () => {
  const { caller } = answering(done({}), done({}));
  const [one, other] = await Promise.all([caller.until(ISSUE), caller.until(ISSUE)]);
  expect([one, other].map(({ began, ended }) => [began, ended])).toEqual([
    [1, 3],
    [2, 4],
  ]);
});
