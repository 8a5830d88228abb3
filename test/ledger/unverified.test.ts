/** Invoices of a company with an unproven NIF: tests, marked as such, that no authority gets. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { dueStore } from "../../src/db/due/due-store.ts";
import { submissionStatusStore } from "../../src/db/submission/submission-status.ts";
import { submissionStore } from "../../src/db/submission/submission-store.ts";
import { TESTS } from "../../src/domain/limits.ts";
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import { directCaller, orderOf, postOrder } from "../support/worlds/http-calls.ts";
import { plainLedger } from "../support/worlds/ledger-client.ts";
import { aSentOrder, openCommerce, orderConnector } from "../support/worlds/order-calls.ts";
import {
  act,
  anInvoice,
  callerOf,
  ledgerStub,
  openShop,
  type Shop,
  type ShopOptions,
  verify,
} from "../support/worlds/shop.ts";

const PRODUCTION: ShopOptions = { connection: { environment: "production" } };
const unverified = (options: ShopOptions = {}) => openShop({ ...options, verified: false });

interface Told {
  readonly test?: true;
  readonly series: string;
  readonly verifactu: { readonly qr_url: string | null; readonly qr_svg?: string };
  readonly warnings: readonly { readonly code: string }[];
}

async function issued(shop: Shop, externalId = "a"): Promise<Told> {
  const { status, data } = await directCaller(shop).issue(externalId, "F1", "1x100@21");
  expect([200, 201]).toContain(status);
  return data as unknown as Told;
}

const codesOf = ({ warnings }: Pick<Told, "warnings">) => warnings.map(({ code }) => code);
const stemOf = ({ series }: Told) => series.slice(0, -5);

describe("a direct invoice", () => {
  test("of a verified company is no test", async () => {
    const told = await issued(await openShop());
    expect(told).not.toHaveProperty("test");
    expect(codesOf(told)).toEqual([]);
  });

  test("of an unverified one is a test in a test deployment, and nothing else differs", async () => {
    const told = await issued(await unverified());
    expect([told.test, codesOf(told), stemOf(told)]).toEqual([true, ["company_unverified"], "API-1"]);
    expect(told.verifactu.qr_url).toMatch(/^https:\/\/prewww2/);
  });

  test("of an unverified one has series of its own and no QR in production", async () => {
    const shop = await unverified(PRODUCTION);
    const told = await issued(shop);
    expect([told.test, codesOf(told), stemOf(told)]).toEqual([true, ["company_unverified"], "API-T1"]);
    expect(told.verifactu.qr_url).toBeNull();
    const read = await directCaller(shop).read("a?include=qr_svg");
    expect(read.data).toMatchObject({ test: true, verifactu: { qr_url: null } });
    expect(read.data.verifactu).not.toHaveProperty("qr_svg");
  });

  test("that corrects a test is one, also once the company is verified", async () => {
    const shop = await unverified();
    await issued(shop);
    await verify(shop.accountId);
    const change = { rectification_method: "difference", rectifies: [{ external_id: "a" }] };
    const { status, data } = await directCaller(shop).issue("r", "R1", "-1x10@21", change);
    expect([status, data.test]).toEqual([201, true]);
    expect(await issued(shop, "b")).not.toHaveProperty("test");
  });

  test("is a test for ever, and its repetition says so after the company is verified", async () => {
    const shop = await unverified();
    await issued(shop);
    await verify(shop.accountId);
    expect((await issued(shop)).test).toBe(true);
    expect(await issued(shop, "b")).not.toHaveProperty("test");
  });

  test("is decided anew where the company is verified without the object's memory", async () => {
    const shop = await unverified();
    for (const id of ["a", "b"]) expect((await issued(shop, id)).test).toBe(true);
    await env.LEDGER_000.prepare("UPDATE account SET verification = 'verified' WHERE id = ?")
      .bind(shop.accountId)
      .run();
    expect(await issued(shop, "c")).not.toHaveProperty("test");
  });

  test("of a connection for tests stays one, and says which connection issues", async () => {
    const shop = await unverified(PRODUCTION);
    await verify(shop.accountId);
    const told = await issued(shop);
    expect([told.test, codesOf(told), stemOf(told)]).toEqual([true, ["connection_for_tests"], "API-T1"]);
    const next = await openShop({ ...PRODUCTION, accountId: shop.accountId });
    const real = await issued(next);
    expect(real).not.toHaveProperty("test");
    expect([codesOf(real), stemOf(real)]).toEqual([[], "API-2"]);
    expect(real.verifactu.qr_url).toMatch(/^https:\/\/www2/);
  });

  test("is previewed as the test that it would be", async () => {
    const shop = await unverified(PRODUCTION);
    const { status, data } = await directCaller(shop).preview("a", "F1", "1x100@21");
    expect(status).toBe(200);
    expect(data).toMatchObject({ test: true, series: expect.stringMatching(/^API-T1-/) });
  });
});

describe("an order", () => {
  const commerce = { kind: "commerce", name: "Tienda" } as const;

  test("of an unverified company has tests for documents", async () => {
    const shop = await unverified({ connection: { ...commerce, environment: "production" } });
    const order = orderOf(await postOrder(shop, aSentOrder("1"))) as ReturnType<typeof orderOf> & {
      test?: true;
    };
    expect(order.test).toBe(true);
    expect(order.warnings.map(({ code }) => code)).toContain("company_unverified");
    expect(order.invoices[0]?.series).toMatch(/^PED-T1S-\d{4}$/);
  });

  test("of a verified one says nothing of tests", async () => {
    const shop = await openShop({ connection: commerce });
    expect(orderOf(await postOrder(shop, aSentOrder("1")))).not.toHaveProperty("test");
  });

  test("of a profile has its stem after a T", async () => {
    const shop = await unverified({ connection: { ...commerce, environment: "production" } });
    const profile = { name: "Web", channel: "web", stem: "A" };
    expect((await act(shop, { verb: "add_profile", profile })).outcome).toBe("done");
    const sent = aSentOrder("1", { source_channel: "web" });
    const [invoice] = orderOf(await postOrder(shop, sent)).invoices;
    expect(invoice?.full_number).toMatch(/^T-AS-\d{4}-000001$/);
    const refund = { correction_events: [aRefund()] };
    const documents = orderOf(await postOrder(shop, { ...sent, ...refund })).invoices;
    expect(documents.at(-1)?.full_number).toMatch(/^T-ARS-\d{4}-000001$/);
  });

  test("numbers by a stem that a connection for tests has had, too", async () => {
    const tests = await unverified({ connection: { ...commerce, environment: "production" } });
    const profile = { name: "Web", channel: "web", stem: "A" };
    await act(tests, { verb: "add_profile", profile });
    await postOrder(tests, aSentOrder("1", { source_channel: "web" }));
    await verify(tests.accountId);
    const real = await openShop({
      ...{ accountId: tests.accountId, connection: { ...commerce, environment: "production" } },
    });
    expect((await act(real, { verb: "add_profile", profile })).outcome).toBe("done");
    const [invoice] = orderOf(await postOrder(real, aSentOrder("1", { source_channel: "web" }))).invoices;
    expect(invoice?.full_number).toMatch(/^AS-\d{4}-000001$/);
    // Among those for tests it is as taken as ever.
    const renamed = await act(tests, {
      verb: "add_profile",
      profile: { ...profile, name: "Otro", channel: "b" },
    });
    expect(renamed).toMatchObject({ outcome: "refused", refusal: { code: "stem_taken" } });
  });
});

describe("the authority", () => {
  const connectionsDue = async (at: number) =>
    dueStore(env.LEDGER_000, {
      isOn: true,
      wantsRepresentation: false,
      mayCallOut: true,
    }).connectionsWithDueWork({
      ...{ overdueSince: at, today: civilDate("2026-11-27"), limit: 100 },
    });

  test("gets nothing of a connection for tests, with any submission due", async () => {
    const [tests, real] = [await unverified(PRODUCTION), await openShop(PRODUCTION)];
    for (const shop of [tests, real]) await issued(shop);
    const chainsOf = (shop: Shop) => submissionStore(env.LEDGER_000, shop.connectionId).readChains();
    expect(await chainsOf(tests)).toEqual([]);
    expect(await chainsOf(real)).toHaveLength(1);
    const standing = await submissionStatusStore(env.LEDGER_000, tests.connectionId).readStatus(
      tests.accountId,
    );
    expect(standing?.chains).toEqual([]);
    const due = await connectionsDue(Date.now() + 600_000);
    expect(due).toContain(real.connectionId);
  });

  test("the installation of a trial never becomes another", async () => {
    const shop = await unverified(PRODUCTION);
    const change = env.LEDGER_000.prepare("UPDATE installation SET trial = 0 WHERE connection_id = ?").bind(
      shop.connectionId,
    );
    await expect(change.run()).rejects.toThrow("immutable: installation");
    const row = await env.LEDGER_000.prepare(
      "SELECT environment, trial FROM installation WHERE connection_id = ?",
    )
      .bind(shop.connectionId)
      .first();
    expect(row).toEqual({ environment: "test", trial: 1 });
  });
});

function aRefund() {
  return {
    ...{ id_external_event: "r1", event_type: "refund", occurred_at: "2026-11-21T10:00:00+01:00" },
    lines: [{ base_delta: -10, tax_rate: 21, tax_delta: -2.1 }],
  };
}

describe("what an unverified company may leave", () => {
  const full = () => ({ read: async () => ({ bytes: TESTS.bytes, at: Date.now() }), write: () => undefined });

  test("is bounded by bytes, by the note of the object; nothing is read or written for a refused one", async () => {
    const { client, ledger } = plainLedger(await unverified(), { sentTests: full() });
    expect(await client.issue("a")).toMatchObject({ outcome: "rate_limited", d1Trips: 1 });
    expect(await client.read("a")).toMatchObject({ outcome: "unknown" });
    const preview = await ledger.previewInvoice(callerOf(client.shop), anInvoice("a"));
    expect(preview.outcome).toBe("previewed");
  });

  test("is no bound for the preview of an order, which stores nothing", async () => {
    const shop = await openCommerce({ verified: false });
    const { send, preview } = orderConnector(shop, plainLedger(shop, { sentTests: full() }).ledger);
    expect(await send(aSentOrder("1"))).toMatchObject({ outcome: "rate_limited" });
    expect(await preview(aSentOrder("1"))).toMatchObject({ outcome: "taken", order: { state: "invoiced" } });
  });

  test("holds up no verified company, and ends when it is verified, a call later", async () => {
    expect((await plainLedger(await openShop(), { sentTests: full() }).client.issue("a")).outcome).toBe(
      "issued",
    );
    const shop = await unverified();
    const { client } = plainLedger(shop, { sentTests: full() });
    await client.read("a");
    await verify(shop.accountId);
    expect((await client.issue("a")).outcome).toBe("rate_limited");
    expect((await client.issue("a")).outcome).toBe("issued");
  });

  test("is kept by the object, so that a new instance continues the count", async () => {
    const shop = await unverified();
    await issued(shop);
    const note = await runInDurableObject(ledgerStub(shop), (_, { storage }) =>
      storage.get<{ readonly bytes: number }>("sent_tests"),
    );
    expect(note?.bytes).toBeGreaterThan(100);
  });
});
