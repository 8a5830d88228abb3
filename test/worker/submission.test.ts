/** Records reach the authority automatically, in order, once, after any fault on the way. */
import { createScheduledController, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import { sha256OfBytes } from "../../src/domain/shared/hash.ts";
import worker from "../../src/worker.ts";
import { intercept, interrupt } from "../support/authority/line.ts";
import { abortAfter, failBefore, gate, late, loseAnswer } from "../support/faults/fault-kinds.ts";
import { faults, type SqlPredicate } from "../support/faults/faults.ts";
import { Signal } from "../support/faults/signal.ts";
import { fillUp } from "../support/worlds/filled-books.ts";
import { callsOf, clientOf, haveArrived, plainLedger, SIMPLIFIED } from "../support/worlds/ledger-client.ts";
import { act, ledgerStub, ring, type Shop } from "../support/worlds/shop.ts";
import {
  attemptsOf,
  chainOf,
  chainsAt,
  control,
  messagesAt,
  openSubmittingShop,
  receivedAt,
  recordStates,
  resultsOf,
  statesOf,
} from "../support/worlds/submission.ts";

const NOON = Date.parse("2026-12-01T12:00:00Z");
const MINUTE_MS = 60_000;

let shop: Shop;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOON });
  shop = await openSubmittingShop();
});

afterEach(() => {
  vi.useRealTimers();
});

const issue = (externalId: string) => clientOf(shop).issue(externalId);
const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);
const begins: SqlPredicate = (sql) => sql.some((text) => text.startsWith('insert into "submission_attempt"'));
const settles: SqlPredicate = (sql) =>
  !begins(sql, "") && sql.some((text) => text.startsWith('update "submission_attempt"'));
const issues: SqlPredicate = (sql) => sql.some((text) => text.startsWith('insert into "invoice"'));

/** It arrives, and the connection breaks before the answer. */
const answerLost = async (send: () => Promise<Response>): Promise<Response> => {
  await send();
  throw new Error("the connection is closed");
};
const notReached = async (): Promise<Response> => {
  throw new Error("no route");
};

test("issued invoices are accepted, without another request, and kept as proof", async () => {
  await issue("one");
  await issue("two");
  expect(await ring(shop)).toBe(true);
  expect(await statesOf(shop)).toEqual(["accepted", "accepted"]);
  expect(await receivedAt(shop)).toEqual(["API-1-2026-000001 Correcto 1", "API-1-2026-000002 Correcto 1"]);
  const [attempt] = await attemptsOf(shop);
  const [message] = await messagesAt(shop);
  expect(attempt).toMatchObject({ incident: 0, resend: 0, request_sha256: message?.request_sha256 });
  expect(attempt?.csv).toMatch(/^A-/);
  for (const [part, sha256] of [
    ["request", attempt?.request_sha256],
    ["answer", attempt?.answer_sha256],
  ] as const) {
    const { account_id: accountId = "", installation_id: installationId = "", id = "" } = attempt ?? {};
    // By its name as an operator lists it, written out.
    const kept = await env.EVIDENCE.get(`submission/${accountId}/${installationId}/${id}/${part}.xml`);
    expect(sha256OfBytes(new Uint8Array((await kept?.arrayBuffer()) ?? []))).toBe(sha256);
  }
});

test("the next message waits as long as the authority asks, and has all records issued since", async () => {
  await control(shop, { wait_seconds: 90 });
  await issue("one");
  await ring(shop);
  await issue("two");
  await issue("three");
  await ring(shop);
  expect(await statesOf(shop)).toEqual(["accepted", "pending_submission", "pending_submission"]);
  later(89_000);
  await ring(shop);
  expect(await messagesAt(shop)).toHaveLength(1);
  later(1_000);
  await ring(shop);
  expect(await statesOf(shop)).toEqual(["accepted", "accepted", "accepted"]);
  const messages = await messagesAt(shop);
  expect(messages.map(({ records, early }) => ({ records, early }))).toEqual([
    { records: 1, early: false },
    { records: 2, early: false },
  ]);
});

test("a cancellation follows its registration in the same chain", async () => {
  await issue("one");
  await clientOf(shop).cancel("one");
  await ring(shop);
  expect(await statesOf(shop)).toEqual(["accepted", "accepted"]);
  const [chain] = await chainsAt(shop);
  expect(chain?.records.map(({ kind, link }) => [kind, link])).toEqual([
    ["Alta", "first"],
    ["Anulacion", "linked"],
  ]);
});

test("a record that is ten minutes old travels as an incident, its own time untouched (P83)", async () => {
  await issue("old");
  later(10 * MINUTE_MS);
  await issue("new");
  await ring(shop);
  later(MINUTE_MS);
  await ring(shop);
  expect(await statesOf(shop)).toEqual(["accepted", "accepted"]);
  const messages = await messagesAt(shop);
  expect(messages.map(({ records, incident }) => ({ records, incident }))).toEqual([
    { records: 1, incident: true },
    { records: 1, incident: false },
  ]);
  const [chain] = await chainsAt(shop);
  expect(chain?.records[0]?.generated_at).toBe("2026-12-01T13:00:00+01:00");
});

describe("the answer is lost", () => {
  test("the same records go again as an incident, and those that the authority has are adopted (P11)", async () => {
    await issue("one");
    await issue("two");
    interrupt(shop.connectionId, answerLost);
    await ring(shop);
    expect(await statesOf(shop)).toEqual(["submitted", "submitted"]);
    expect(await chainOf(shop)).toMatchObject({ failures: 1, affected_to: 2, incident_since: Date.now() });
    later(2 * MINUTE_MS);
    await ring(shop);
    expect(await statesOf(shop)).toEqual(["accepted", "accepted"]);
    expect(await receivedAt(shop)).toEqual(["API-1-2026-000001 Correcto 2", "API-1-2026-000002 Correcto 2"]);
    expect((await messagesAt(shop)).map(({ incident }) => incident)).toEqual([false, true]);
    expect(await chainOf(shop)).toMatchObject({ failures: 0, incident_since: null });
    expect(await resultsOf(shop)).toEqual(["no_answer no_connection", "answered"]);
  });

  test("later records wait for them, in a message of their own", async () => {
    await issue("one");
    interrupt(shop.connectionId, answerLost);
    await ring(shop);
    await issue("two");
    later(2 * MINUTE_MS);
    await ring(shop);
    expect(await statesOf(shop)).toEqual(["accepted", "pending_submission"]);
    later(MINUTE_MS);
    await ring(shop);
    expect(await statesOf(shop)).toEqual(["accepted", "accepted"]);
    expect((await messagesAt(shop)).map(({ records }) => records)).toEqual([1, 1, 1]);
  });

  test("nothing arrived: it goes again, and the wait grows with every failure", async () => {
    await issue("one");
    const waits: number[] = [];
    for (let failures = 0; failures < 6; failures += 1) {
      interrupt(shop.connectionId, notReached);
      await ring(shop);
      const { due_at: dueAt } = await chainOf(shop);
      waits.push((dueAt - Date.now()) / MINUTE_MS);
      vi.setSystemTime(dueAt);
    }
    for (const [index, planned] of [1, 2, 4, 8, 15, 15].entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(planned);
      expect(waits[index]).toBeLessThanOrEqual(planned * 1.2);
    }
    expect(await messagesAt(shop)).toEqual([]);
    await ring(shop);
    expect(await statesOf(shop)).toEqual(["accepted"]);
    expect((await attemptsOf(shop)).map(({ incident }) => incident)).toEqual([0, 1, 1, 1, 1, 1, 1]);
  });
});

describe.each([
  ["a page", { fault: "html" }, "no_answer not_xml"],
  ["a page where a certificate is refused", { fault: "redirect" }, "no_answer certificate_refused"],
  [
    "an error of the server's after it has stored",
    { fault: "http_error", status: 500, when: "after_storing" },
    "no_answer http_status",
  ],
  ["half an answer", { fault: "truncated" }, "no_answer malformed"],
  ["nothing", { fault: "empty" }, "no_answer malformed"],
  ["a fault of the server's", { fault: "soap_fault", code: 4103 }, "fault"],
])("the authority answers %s", (_, misbehaviour, result) => {
  test("it is no refusal: the records go again and are accepted once", async () => {
    await control(shop, { queue: [misbehaviour] });
    await issue("one");
    await issue("two");
    await ring(shop);
    expect(await resultsOf(shop)).toEqual([result]);
    expect(await statesOf(shop)).toEqual(["submitted", "submitted"]);
    later(61 * MINUTE_MS);
    await ring(shop);
    expect(await statesOf(shop)).toEqual(["accepted", "accepted"]);
  });
});

test("too many calls: nothing arrived, so nothing is taken for lost", async () => {
  await control(shop, { queue: [{ fault: "http_error", status: 429 }] });
  await issue("one");
  await ring(shop);
  expect(await statesOf(shop)).toEqual(["pending_submission"]);
  expect(await resultsOf(shop)).toEqual(["not_delivered"]);
});

describe("the authority decides on each record separately", () => {
  test("a rejected one blocks none of the others, and keeps code and words", async () => {
    await control(shop, { records: [{ code: 1239, number: "API-1-2026-000002" }] });
    await issue("one");
    await issue("two");
    await issue("three");
    await ring(shop);
    expect(await statesOf(shop)).toEqual(["accepted", "rejected 1239", "accepted"]);
    const { standing } = await recordAt(2);
    expect(standing).toMatchObject({ code: 1239, text: expect.stringMatching(/\S/) });
  });

  test("accepted with errors is accepted, and never sent again", async () => {
    await control(shop, { records: [{ code: 2005, times: 1 }] });
    await issue("one");
    await ring(shop);
    expect(await statesOf(shop)).toEqual(["accepted_with_errors 2005"]);
    later(61 * MINUTE_MS);
    await ring(shop);
    expect(await messagesAt(shop)).toHaveLength(1);
  });

  test("trouble of its own with one record: that one goes again, the others are done", async () => {
    await control(shop, { records: [{ code: 1241, number: "API-1-2026-000002", times: 1 }] });
    await issue("one");
    await issue("two");
    await issue("three");
    await ring(shop);
    expect(await statesOf(shop)).toEqual(["accepted", "pending_submission 1241", "accepted"]);
    later(3 * MINUTE_MS);
    await ring(shop);
    expect(await statesOf(shop)).toEqual(["accepted", "accepted", "accepted"]);
  });
});

async function recordAt(position: number) {
  const found = (await recordStates(shop)).find((record) => record.position === position);
  if (!found) throw new Error("there is no such record");
  return found;
}

describe("whole messages are refused", () => {
  const refused = (code: number) => ({ fault: "soap_fault", code });

  test.each([
    ["the issuer is not the census's", 4104],
    ["the certificate may not send", 4112],
  ])("because %s: it stops, alerts, and continues when its owner says so", async (_, code) => {
    await control(shop, { queue: [refused(code)] });
    await issue("one");
    await ring(shop);
    expect(await statesOf(shop)).toEqual(["pending_submission"]);
    const { stopped, incident_since: since } = await chainOf(shop);
    expect(JSON.parse(stopped ?? "{}")).toMatchObject({ reason: "message_refused", code });
    expect(since).not.toBeNull();
    later(10 * MINUTE_MS);
    await ring(shop);
    expect(await messagesAt(shop)).toHaveLength(1);
    expect(await act(shop, { verb: "resume_submission" })).toEqual({ outcome: "done" });
    await ring(shop);
    expect(await statesOf(shop)).toEqual(["accepted"]);
    expect((await chainOf(shop)).stopped).toBeNull();
  });

  test("because access was revoked: nothing more is sent until a person resumes", async () => {
    await control(shop, { queue: [refused(4141)] });
    await issue("one");
    await ring(shop);
    later(24 * 60 * MINUTE_MS);
    await sweepNow();
    await issue("two");
    await ring(shop);
    expect(await messagesAt(shop)).toHaveLength(1);
    await act(shop, { verb: "resume_submission" });
    await ring(shop);
    later(MINUTE_MS);
    await ring(shop);
    expect(await statesOf(shop)).toEqual(["accepted", "accepted"]);
  });

  test("because of one record: it is found by halves, and all others are accepted", async () => {
    for (let index = 1; index <= 9; index += 1) await issue(`m${index}`);
    intercept(shop.connectionId, (send, sent) =>
      /-4<\/\w+:RefExterna>/.test(sent) ? Promise.resolve(clientFault(4102)) : send(),
    );
    for (let rings = 0; rings < 12; rings += 1) {
      await ring(shop);
      later(2 * MINUTE_MS);
    }
    const states = await statesOf(shop);
    expect(states.filter((state) => state === "accepted")).toHaveLength(8);
    expect(states[3]).toBe("rejected 4102");
    const chains = await receivedAt(shop);
    expect(chains.every((record) => record.endsWith("Correcto 1"))).toBe(true);
  });
});

function clientFault(code: number): Response {
  const soap = "http://schemas.xmlsoap.org/soap/envelope/";
  const fault = `<faultcode>env:Client</faultcode><faultstring>Codigo[${code}].No.</faultstring>`;
  return new Response(
    `<env:Envelope xmlns:env="${soap}"><env:Body><env:Fault>${fault}</env:Fault></env:Body></env:Envelope>`,
    { status: 500, headers: { "Content-Type": "text/xml; charset=utf-8" } },
  );
}

describe("an alarm", () => {
  test("is set before the batch that creates the work, also where its answer never comes", async () => {
    faults.when(issues, abortAfter(kill));
    await issue("one").catch(() => undefined);
    expect(await ring(shop)).toBe(true);
    expect(await statesOf(shop)).toEqual(["accepted"]);
  });

  test("that goes off while the batch is held waits for it", async () => {
    const stub = ledgerStub(shop);
    const held = faults.when(issues, gate());
    const issuing = clientOf(shop, callsOf(stub)).issue("one");
    await held.reached();
    const rung = ring(shop);
    await haveArrived(shop, 2);
    held.open();
    await issuing;
    await rung;
    expect(await statesOf(shop)).toEqual(["accepted"]);
  });

  test("that was lost is made good by the sweep", async () => {
    await issue("one");
    await runInDurableObject(ledgerStub(shop), (_, { storage }) => storage.deleteAlarm());
    expect(await ring(shop)).toBe(false);
    await sweepNow();
    expect(await ring(shop)).toBe(true);
    expect(await statesOf(shop)).toEqual(["accepted"]);
  });

  test("twice is one message", async () => {
    await issue("one");
    await ring(shop);
    await ledgerStub(shop).wakeUp(shop.connectionId);
    await ring(shop);
    expect(await messagesAt(shop)).toHaveLength(1);
  });
});

/** The whole runtime's cron, for a deployment that submits records. */
async function sweepNow(): Promise<void> {
  const submitting = { ...env, AEAT_TRANSPORT: "sandbox", AEAT_BASE_URL: "https://authority.test" };
  const controller = createScheduledController({ cron: "* * * * *" });
  await worker.scheduled(controller, submitting);
}

async function kill(): Promise<void> {
  await runInDurableObject(ledgerStub(shop), (_, state) => state.abort("killed")).catch(() => undefined);
}

describe("the object dies", () => {
  test("after the message: once the lease is over the same records go again, and are adopted", async () => {
    await issue("one");
    await issue("two");
    interrupt(shop.connectionId, async (send) => {
      const response = await send();
      await kill();
      return response;
    });
    await ring(shop).catch(() => undefined);
    expect(await statesOf(shop)).toEqual(["submitted", "submitted"]);
    await issue("three");
    await ring(shop);
    expect(await messagesAt(shop)).toHaveLength(1);
    later(151_000);
    await ring(shop);
    later(2 * MINUTE_MS);
    await ring(shop);
    expect(await statesOf(shop)).toEqual(["accepted", "accepted", "accepted"]);
    expect(await receivedAt(shop)).toEqual([
      "API-1-2026-000001 Correcto 2",
      "API-1-2026-000002 Correcto 2",
      "API-1-2026-000003 Correcto 1",
    ]);
    expect(await resultsOf(shop)).toEqual(["abandoned", "answered", "answered"]);
  });
});

describe("two instances of the object", () => {
  test("send one message: the other waits for the lease", async () => {
    const [one, other] = [plainLedger(shop), plainLedger(shop)];
    await issue("one");
    await Promise.all([one.ledger.wake(), other.ledger.wake()]);
    expect(await statesOf(shop)).toEqual(["accepted"]);
    expect(await messagesAt(shop)).toHaveLength(1);
    expect(await attemptsOf(shop)).toHaveLength(1);
  });

  test("an answer that comes when another has taken over is kept as evidence only", async () => {
    const [slow, other] = [plainLedger(shop), plainLedger(shop)];
    await issue("one");
    const answered = new Signal();
    const goOn = new Signal();
    interrupt(shop.connectionId, async (send) => {
      const response = await send();
      answered.set();
      await goOn.wait();
      return response;
    });
    const waking = slow.ledger.wake();
    await answered.wait();
    later(151_000);
    await other.ledger.wake();
    expect(await statesOf(shop)).toEqual(["accepted"]);
    const before = await chainOf(shop);
    goOn.set();
    await waking;
    expect(await chainOf(shop)).toEqual(before);
    expect(slow.alarms).toContain("answer_came_late");
    expect(await resultsOf(shop)).toEqual(["abandoned", "answered"]);
    expect((await attemptsOf(shop)).every(({ answer_sha256: sha256 }) => sha256 !== null)).toBe(true);
    expect((await recordAt(1)).standing).toMatchObject({ adopted: true });
  });
});

describe("D1 fails", () => {
  test("before the attempt is written: nothing leaves, and it is tried again", async () => {
    await issue("one");
    faults.when(begins, failBefore());
    await ring(shop);
    expect(await statesOf(shop)).toEqual(["accepted"]);
    expect(await messagesAt(shop)).toHaveLength(1);
  });

  test("and the answer to the attempt is lost: it is found, and the message leaves", async () => {
    await issue("one");
    faults.when(begins, loseAnswer());
    await ring(shop);
    expect(await statesOf(shop)).toEqual(["accepted"]);
    expect(await attemptsOf(shop)).toHaveLength(1);
  });

  test("and the attempt lands after it was given up: its lease runs out", async () => {
    await issue("one");
    const lost = faults.when(begins, late());
    const { ledger } = plainLedger(shop);
    // It is not found, so another one is begun: the late one fails whole.
    await ledger.wake();
    await expect(lost.release()).rejects.toThrow("fence:stale_chain");
    expect(await statesOf(shop)).toEqual(["accepted"]);
    expect(await messagesAt(shop)).toHaveLength(1);
  });

  test.each([
    ["before the answer is applied", () => failBefore()],
    ["after it", () => loseAnswer()],
  ])("%s: it is applied once", async (_, fault) => {
    await issue("one");
    faults.when(settles, fault());
    await ring(shop);
    expect(await statesOf(shop)).toEqual(["accepted"]);
    expect(await messagesAt(shop)).toHaveLength(1);
    expect(await resultsOf(shop)).toEqual(["answered"]);
  });

  test("for as long as the answer could be applied: the records go again when the lease is over", async () => {
    await issue("one");
    faults.when(settles, failBefore(), { times: 10 });
    await ring(shop);
    faults.reset();
    expect(await statesOf(shop)).toEqual(["submitted"]);
    later(151_000);
    await ring(shop);
    expect(await statesOf(shop)).toEqual(["accepted"]);
    expect(await receivedAt(shop)).toEqual(["API-1-2026-000001 Correcto 2"]);
  });
});

test("without R2 records are submitted all the same", async () => {
  const { ledger, alarms } = plainLedger(shop, {}, { EVIDENCE: brokenBucket() });
  await issue("one");
  await ledger.wake();
  expect(await statesOf(shop)).toEqual(["accepted"]);
  expect(alarms.filter((alarm) => alarm === "evidence_not_kept")).toHaveLength(2);
});

function brokenBucket(): R2Bucket {
  return new Proxy(env.EVIDENCE, {
    get: () => () => Promise.reject(new Error("R2 is down")),
  });
}

describe("nothing leaves", () => {
  test("before the issuer's signed grant is kept, and all of it afterwards", async () => {
    shop = await openSubmittingShop({}, { isRepresented: false });
    await issue("one");
    await ring(shop);
    expect(await messagesAt(shop)).toEqual([]);
    expect(await ring(shop)).toBe(false);
    await grant();
    await ring(shop);
    expect(await statesOf(shop)).toEqual(["accepted"]);
  });

  test("of a frozen account", async () => {
    await issue("one");
    await env.LEDGER_000.prepare("UPDATE account SET frozen = 1").run();
    await ring(shop);
    expect(await messagesAt(shop)).toEqual([]);
    await env.LEDGER_000.prepare("UPDATE account SET frozen = 0").run();
    await sweepNow();
    await ring(shop);
    expect(await statesOf(shop)).toEqual(["accepted"]);
  });
});

async function grant(): Promise<void> {
  const outcome = await act(shop, {
    verb: "grant_representation",
    documentSha256: "b".repeat(64),
    signedBy: "Ana Gil",
    signedOn: civilDate("2026-11-30"),
  });
  expect(outcome.outcome).toBe("done");
}

test("issuing waits for no answer of the authority's and costs not a trip more", async () => {
  const client = clientOf(shop);
  await client.issue("warm");
  const reached = new Signal();
  const goOn = new Signal();
  interrupt(shop.connectionId, async (send) => {
    reached.set();
    await goOn.wait();
    return send();
  });
  const rung = ring(shop);
  await reached.wait();
  faults.take();
  expect(await client.issue("beside")).toMatchObject({ outcome: "issued", d1Trips: 1 });
  expect(faults.take()).toHaveLength(1);
  goOn.set();
  await rung;
  expect(await statesOf(shop)).toEqual(["accepted", "pending_submission"]);
});

test("a message costs the same with ten thousand finished records as with ten", async () => {
  // The day of the rows that are written straight into the database.
  vi.setSystemTime(Date.parse("2026-11-28T08:00:00Z"));
  const client = clientOf(shop);
  const rowsReadOf = async (name: string) => {
    await client.issue(`${name}-1`, SIMPLIFIED);
    await client.issue(`${name}-2`, SIMPLIFIED);
    await client.cancel(`${name}-1`);
    later(2 * MINUTE_MS);
    faults.take();
    await ring(shop);
    return faults.take().reduce((sum, { rowsRead }) => sum + rowsRead, 0);
  };
  await rowsReadOf("first");
  await fillUp(shop, 10);
  await settled();
  const few = await rowsReadOf("few");
  await fillUp(shop, 10_000);
  await settled();
  expect(await rowsReadOf("many")).toBeLessThanOrEqual(few + 2);

  async function settled(): Promise<void> {
    await env.LEDGER_000.prepare(
      "UPDATE record SET state = 'accepted', changed_seq = 1 WHERE state = 'pending_submission'",
    ).run();
    // Its memory of the heads is older than these rows.
    await evictDurableObject(ledgerStub(shop));
  }
});
