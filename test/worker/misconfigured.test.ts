/** A variable of the deployment that is missing or wrong: 503 for calls, a line that names it, and nothing else. */
import { createExecutionContext, createScheduledController, runInDurableObject } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { afterEach, expect, test, vi } from "vitest";
import OwnerApi from "../../src/console/worker.ts";
import { newId } from "../../src/domain/connection/ids.ts";
import { type ApiEnv, ownerDeployment } from "../../src/env.ts";
import { ConnectionLedger } from "../../src/ledger/core/connection-ledger.ts";
import type { LedgerCalls } from "../../src/ledger/rpc.ts";
import { mailerOf } from "../../src/wiring-both.ts";
import { RATES_CRON } from "../../src/work/rates/update-rates.ts";
import worker from "../../src/worker.ts";
import { act, anInvoice, callerOf, ledgerStub, openShop } from "../support/worlds/shop.ts";

const WRONG = "six hundred";
const API = "https://api.example/api/v1/invoice";

afterEach(() => vi.restoreAllMocks());

function linesOf(): Readonly<Record<string, unknown>>[] {
  const lines: Readonly<Record<string, unknown>>[] = [];
  vi.spyOn(console, "log").mockImplementation((line) => void lines.push(JSON.parse(line)));
  return lines;
}

/** As a deploy begins: nothing of an earlier request is kept. Loading all modules again takes seconds. */
async function freshWorker() {
  vi.resetModules();
  return import("../../src/worker.ts");
}

/** Its calls are made by name, so its class does not declare them. */
function objectOver(state: DurableObjectState, change: Partial<ApiEnv>): ConnectionLedger & LedgerCalls {
  return new ConnectionLedger(state, { ...env, ...change }) as ConnectionLedger & LedgerCalls;
}

function expectNamed(lines: readonly object[], line: object): void {
  expect(lines).toEqual([{ level: "alarm", alarm: "misconfigured", ...line }]);
  expect(JSON.stringify(lines)).not.toContain(WRONG);
}

test("every call of the API answers 503 and names the variable in one line, until it is right; an empty limit is neither none nor zero", async () => {
  const { default: fresh } = await freshWorker();
  const lines = linesOf();
  const call = (over: Partial<ApiEnv>, path = "/health") =>
    fresh.fetch(new Request(new URL(path, API)), { ...env, ...over }, createExecutionContext());
  for (const path of ["/health", "/api/v1/invoice/x", "/docs"]) {
    lines.length = 0;
    const refused = await call({ DEFAULT_RATE_LIMIT: WRONG }, path);
    const id = refused.headers.get("X-Request-Id");
    expect([
      refused.status,
      refused.headers.get("Retry-After"),
      refused.headers.get("Cache-Control"),
    ]).toEqual([503, "60", "no-store"]);
    expect(await refused.json()).toMatchObject({
      ...{ success: false, error_code: "temporarily_unavailable", retryable: true, request_id: id },
    });
    expectNamed(lines, { variable: "DEFAULT_RATE_LIMIT", request_id: id });
  }
  lines.length = 0;
  expect((await call({ DEFAULT_RATE_LIMIT: "" })).status).toBe(503);
  expect(lines).toMatchObject([{ variable: "DEFAULT_RATE_LIMIT" }]);
  expect((await call({})).status).toBe(200);
});

test("the owner's API answers 503 in Spanish", async () => {
  const lines = linesOf();
  const owner = new OwnerApi(createExecutionContext(), { ...env, API_URL: WRONG });
  const refused = await owner.fetch(new Request("https://console.example/api/me"));
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({ error: expect.stringContaining("60 segundos") });
  expectNamed(lines, { variable: "API_URL", request_id: refused.headers.get("X-Request-Id") });
});

test("cron runs no job", async () => {
  const lines = linesOf();
  await worker.scheduled(createScheduledController({ cron: "* * * * *" }), { ...env, SOFTWARE: WRONG });
  expectNamed(lines, { variable: "SOFTWARE", job: "cron" });
});

test("an object takes no call, and its alarm looks again in a minute", async () => {
  const shop = await openShop();
  const lines = linesOf();
  await runInDurableObject(ledgerStub(shop), async (_, state) => {
    const object = objectOver(state, { DEFAULT_RATE_LIMIT: WRONG });
    const call = object.issueInvoice(callerOf(shop), anInvoice("e1"));
    await expect(call).rejects.toThrow("misconfigured");
    expectNamed(lines, { variable: "DEFAULT_RATE_LIMIT" });
    lines.length = 0;
    await state.storage.put("connection_id", shop.connectionId);
    await state.storage.deleteAlarm();
    await object.alarm();
    expect((await state.storage.getAlarm()) ?? 0).toBeGreaterThan(Date.now() + 30_000);
    expectNamed(lines, { variable: "DEFAULT_RATE_LIMIT" });
    await state.storage.deleteAlarm();
  });
});

test("what contradicts itself about submission only stops submission", async () => {
  const shop = await openShop();
  const lines = linesOf();
  await runInDurableObject(ledgerStub(shop), async (_, state) => {
    const object = objectOver(state, { AEAT_TRANSPORT: "certificate" });
    expect(await object.issueInvoice(callerOf(shop), anInvoice("e1"))).toMatchObject({ outcome: "issued" });
    await state.storage.deleteAlarm();
  });
  expect(lines).toContainEqual({
    ...{ level: "alarm", alarm: "submission_misconfigured" },
    cause: "AEAT_TRANSPORT=certificate needs the binding AEAT_CERTIFICATE",
  });
});

test("with unreadable own hosts no address is called, and invoices are issued all the same", async () => {
  const shop = await openShop();
  const hook = {
    verb: "register_webhook",
    url: "https://shop.example/x",
    events: ["invoice.issued"],
  } as const;
  expect((await act(shop, hook)).outcome).toBe("done");
  const lines = linesOf();
  const fetched = vi.spyOn(globalThis, "fetch");
  await runInDurableObject(ledgerStub(shop), async (_, state) => {
    const object = objectOver(state, { OWN_HOSTS: "api.example:8787" });
    expect(await object.issueInvoice(callerOf(shop), anInvoice("e1"))).toMatchObject({ outcome: "issued" });
    expectNamed(lines, { variable: "OWN_HOSTS" });
    const address = { verb: "register_callback", url: "https://shop.example/y" } as const;
    expect(await object.act(shop.connectionId, "owner", address)).toMatchObject({
      ...{ outcome: "unavailable", cause: "misconfigured" },
    });
    await state.storage.put("connection_id", shop.connectionId);
    await state.storage.deleteAlarm();
    await object.alarm();
    expect((await state.storage.getAlarm()) ?? 0).toBeGreaterThan(Date.now() + 10_000);
    await state.storage.deleteAlarm();
  });
  expect(fetched).not.toHaveBeenCalled();
  const standing = env.LEDGER_000.prepare(
    `SELECT ended_at, (SELECT count(*) FROM webhook_delivery WHERE endpoint_id = webhook_endpoint.id
       AND due_at IS NOT NULL) AS due FROM webhook_endpoint WHERE connection_id = ?`,
  ).bind(shop.connectionId);
  expect(await standing.first()).toEqual({ ended_at: null, due: 1 });
});

test("an address of the rates that cannot be read stops only their job", async () => {
  const lines = linesOf();
  const controller = createScheduledController({ cron: RATES_CRON });
  await worker.scheduled(controller, { ...env, ECB_BASE_URL: "" });
  expect(lines).toContainEqual({ level: "alarm", alarm: "misconfigured", variable: "ECB_BASE_URL" });
  const done = lines.flatMap(({ event, job }) => (event === "job_done" ? [job] : []));
  expect(done).toEqual(["sweep", "hear_companies", "retire", "fill_entries"]);
});

test("a sender of mails that is missing stops only mails", async () => {
  const lines = linesOf();
  const deployment = ownerDeployment({ ...env, MAIL_FROM: "" });
  expect(deployment.ok).toBe(true);
  if (!deployment.ok) return;
  const mail = { to: "ana@x.example", subject: "Hola", text: "Hola" };
  await expect(mailerOf(deployment.value).send(mail)).rejects.toThrow("misconfigured");
  expectNamed(lines, { variable: "MAIL_FROM" });
});

test("an object that cannot open for another reason logs a line without values, and its alarm tries again", async () => {
  const lines = linesOf();
  const unknown = newId("cn", "999", (sizeBytes) => new Uint8Array(sizeBytes));
  await runInDurableObject(ledgerStub({ connectionId: unknown }), async (_, state) => {
    const object = objectOver(state, {});
    await expect(object.act(unknown, "owner", { verb: "remove_callback" })).rejects.toThrow("invariant");
    await state.storage.put("connection_id", unknown);
    await object.alarm();
    expect((await state.storage.getAlarm()) ?? 0).toBeGreaterThan(Date.now() + 30_000);
    await state.storage.deleteAlarm();
  });
  const line = {
    ...{ level: "warning", event: "ledger_not_opened", connection_id: unknown },
    cause: "invariant broken: a connection",
  };
  expect(lines.map(({ frames, ...rest }) => rest)).toEqual([
    { ...line, cause: expect.stringContaining(line.cause) },
    { ...line, cause: expect.stringContaining(line.cause) },
  ]);
  expect(lines[0]?.frames).toContain("ledgerOn");
});

test("the suite's own Worker is configured", async () => {
  expect((await exports.default.fetch("https://api.example/health")).status).toBe(200);
});
