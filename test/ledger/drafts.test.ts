/** Invoices that people write in the console: drafts, previews by what issues, and one invoice for a draft. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import type { DraftContent } from "../../src/domain/invoice/draft.ts";
import { DRAFTS } from "../../src/domain/limits.ts";
import { A_DRAFT, aDraftLine } from "../support/builders/drafts.ts";
import { failBefore, loseAnswer } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { expectBooksConsistent } from "../support/rules/consistency.ts";
import { type Browser, ownerOf } from "../support/worlds/console.ts";
import { directCaller } from "../support/worlds/http-calls.ts";
import { auditOf } from "../support/worlds/owners.ts";
import { aConsent, act, openShop, type Shop } from "../support/worlds/shop.ts";

let shop: Shop;
let owner: Browser;
let keys = 0;

beforeEach(async () => {
  shop = await openShop();
  owner = await ownerOf(shop);
});

const path = (rest = "") => `/api/accounts/${shop.accountId}/drafts${rest}`;
const newKey = () => `deed-draft-${++keys}`;

async function make(content: DraftContent = A_DRAFT, by = owner): Promise<string> {
  const { status, body } = await by.post(path(), { idempotency_key: newKey(), content });
  expect(status).toBe(201);
  return body.data.id;
}

/** The connection for invoices by hand, with its owner's consent. */
async function enable(): Promise<Shop> {
  const { body } = await owner.post(path("/connection"), {});
  const byHand = { ...shop, connectionId: body.data.connectionId as string };
  const given = { ...aConsent(`co000handconsent${++keys}`.padEnd(21, "0")), textVersion: "2" };
  expect((await act(byHand, given)).outcome).toBe("done");
  return byHand;
}

const previewed = async (id: string, by = owner) => (await by.post(path(`/${id}/preview`), {})).body.data;

async function issue(id: string, by = owner) {
  const { version, preview } = await previewed(id, by);
  const expects = { version, number: preview.fullNumber, total: preview.total };
  const sent = { idempotency_key: newKey(), expects };
  return { sent, ...(await by.post(path(`/${id}/issue`), sent)) };
}

const draftsKept = async () =>
  (
    await env.LEDGER_000.prepare("SELECT id FROM invoice_draft WHERE account_id = ?")
      .bind(shop.accountId)
      .all()
  ).results.length;

describe("the connection for invoices by hand", () => {
  test("is opened once at first use, has no key and gets none, and numbers by a stem of its own", async () => {
    await Promise.all([make(), make(), make()]);
    const { results } = await env.LEDGER_000.prepare(
      `SELECT kind, name, ordinal, (SELECT count(*) FROM api_key WHERE connection_id = connection.id) AS keys
       FROM connection WHERE account_id = ? ORDER BY ordinal`,
    )
      .bind(shop.accountId)
      .all();
    expect(results).toMatchObject([
      { kind: "api", ordinal: 1 },
      { kind: "console", name: "Facturas a mano", ordinal: 2, keys: 0 },
    ]);
    const byHand = await enable();
    const refused = await owner.post(
      `/api/accounts/${shop.accountId}/connections/${byHand.connectionId}/keys`,
      {},
    );
    expect([refused.status, refused.body.error_code]).toEqual([409, "keys_not_by_hand"]);
    expect((await issue(await make())).body.data.fullNumber).toMatch(/^MAN-2-\d{4}-000001$/);
  });

  test("issues nothing without the consent of its owner", async () => {
    const id = await make();
    expect((await previewed(id)).problems).toMatchObject([{ path: "", code: "invoicing_not_enabled" }]);
    const expects = { version: 1, number: "MAN-2-2026-000001", total: "921.42" };
    const refused = await owner.post(path(`/${id}/issue`), { idempotency_key: newKey(), expects });
    expect([refused.status, refused.body.error_code]).toEqual([409, "invoicing_not_enabled"]);
  });

  test("its consent is to a text about invoices by hand", async () => {
    const { connectionId } = await enable();
    const { body } = await owner.get(
      `/api/accounts/${shop.accountId}/connections/${connectionId}/consent-text?cutoff_date=2026-11-30`,
    );
    expect(body.data.version).toBe("2");
    expect(body.data.clauses[0].body).toMatch(/^Las facturas que un titular de la empresa prepare/);
  });
});

describe("a draft", () => {
  test("is kept as it was typed, in a list, and made once for one key", async () => {
    const typed = { ...A_DRAFT, lines: [aDraftLine({ quantity: "dos", price_unit: "1.2.3" })] };
    const sent = { idempotency_key: newKey(), content: typed };
    const first = await owner.post(path(), sent);
    expect((await owner.post(path(), sent)).body.data.id).toBe(first.body.data.id);
    const read = await owner.get(path(`/${first.body.data.id}`));
    expect(read.body.data).toMatchObject({ version: 1, content: typed, savedBy: "María Ferrer" });
    const { items, next } = (await owner.get(path())).body.data;
    expect(items).toMatchObject([
      { customer: "Estudio Nácar SL", description: "Diseño de vajilla a medida", savedBy: "María Ferrer" },
    ]);
    expect(next).toBeNull();
  });

  test("has neither number nor record, and goes when it is discarded", async () => {
    const byHand = await enable();
    const id = await make();
    await previewed(id);
    expect((await owner.call("DELETE", path(`/${id}?version=1`))).status).toBe(200);
    expect((await owner.get(path(`/${id}`))).status).toBe(404);
    const { count } = (await env.LEDGER_000.prepare(
      "SELECT count(*) AS count FROM record WHERE connection_id = ?",
    )
      .bind(byHand.connectionId)
      .first<{ count: number }>()) ?? { count: -1 };
    expect(count).toBe(0);
  });

  test("of two people one saves; the other is told who, and gets what was saved", async () => {
    const id = await make();
    const other = await ownerOf(shop);
    const change = (name: string) => ({
      version: 1,
      content: { ...A_DRAFT, recipient: { ...A_DRAFT.recipient, company: name } },
    });
    expect((await owner.call("PUT", path(`/${id}`), change("Uno SL"))).body.data.version).toBe(2);
    expect((await owner.call("PUT", path(`/${id}`), change("Uno SL"))).body.data.version).toBe(2);
    const told = await other.call("PUT", path(`/${id}`), change("Otro SL"));
    expect([told.status, told.body.error_code]).toEqual([409, "draft_changed"]);
    expect(told.body.data.draft).toMatchObject({ version: 2, content: change("Uno SL").content });
    const discarded = await other.call("DELETE", path(`/${id}?version=1`));
    expect([discarded.status, discarded.body.error_code]).toEqual([409, "draft_changed"]);
  });

  test("is duplicated without its dates", async () => {
    const id = await make({ ...A_DRAFT, operation_date: "2026-11-01", due_date: "2026-12-31" });
    const { body } = await owner.post(path(`/${id}/duplicate`), { idempotency_key: newKey() });
    expect((await owner.get(path(`/${body.data.id}`))).body.data.content).toEqual(A_DRAFT);
  });

  test("is one of 200 at most, listed in pages", async () => {
    const first = await make();
    await env.LEDGER_000.prepare(
      `WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ?)
       INSERT INTO invoice_draft SELECT 'copy-' || n, account_id, 'copy-' || n, 1, content, saved_by, saved_at - n
       FROM counted CROSS JOIN invoice_draft WHERE id = ?`,
    )
      .bind(DRAFTS.most - 1, first)
      .run();
    const full = await owner.post(path(), { idempotency_key: newKey(), content: A_DRAFT });
    expect([full.status, full.body.error_code]).toEqual([409, "quota_exceeded"]);
    const page = (await owner.get(path())).body.data;
    const following = (await owner.get(path(`?cursor=${page.next}`))).body.data;
    expect([page.items.length, page.items[0].id, following.items[0].id]).toEqual([25, first, "copy-25"]);
  });

  test("is read by an accountant, who changes and issues nothing", async () => {
    await enable();
    const id = await make();
    const accountant = await ownerOf(shop, "accountant");
    expect((await previewed(id, accountant)).preview.total).toBe("921.42");
    expect((await accountant.get(path(`/${id}`))).status).toBe(200);
    const expects = { version: 1, number: "MAN-2-2026-000001", total: "921.42" };
    const sent = { idempotency_key: newKey(), expects };
    expect((await accountant.post(path(`/${id}/issue`), sent)).status).toBe(403);
  });
});

describe("the preview", () => {
  test("is the invoice as it would be issued, on a sheet that says that it is a draft", async () => {
    await enable();
    const { problems, preview } = await previewed(await make());
    expect(problems).toEqual([]);
    expect(preview).toMatchObject({ total: "921.42", currency: "EUR" });
    expect(preview.fullNumber).toMatch(/^MAN-2-\d{4}-000001$/);
    expect(preview.sheet.html).toContain("BORRADOR: aún no emitida");
    expect(preview.sheet.html).toContain("807,19");
  });

  test.each<[string, Partial<DraftContent>, readonly string[]]>([
    [
      "what the contract misses, all at once",
      { lines: [aDraftLine({ description: "", quantity: "", price_unit: "x" })] },
      ["description", "lines.0.description", "lines.0.quantity", "lines.0.price_unit"],
    ],
    [
      "a wrong account",
      { payment: { means: "transfer", iban: "ES9121000418450200051333" } },
      ["payment.iban"],
    ],
    [
      "a wrong NIF",
      { recipient: { ...A_DRAFT.recipient, vat_number: "B12345675" } },
      ["recipient.vat_number"],
    ],
    ["a rate that there is not", { lines: [aDraftLine({ tax_rate: "19" })] }, ["lines.0.tax_rate"]],
    ["another currency without its rate", { currency: "USD" }, ["exchange_rate"]],
    ["withholding on a simplified one", { kind: "simplified" }, ["withholding"]],
  ])("names at its member %s", async (_, change, paths) => {
    await enable();
    const { problems, preview } = await previewed(await make({ ...A_DRAFT, ...change }));
    expect(problems.map((problem: { path: string }) => problem.path)).toEqual(paths);
    expect(preview).toBeNull();
  });

  test.each<[string, Partial<DraftContent>, string]>([
    ["prices with tax", { prices_include_tax: true, lines: [aDraftLine({ price_unit: "121" })] }, "121.00"],
    [
      "the surcharge of equivalence",
      { lines: [aDraftLine({ price_unit: "100", equivalence_surcharge_rate: "5.2" })] },
      "126.20",
    ],
    ["an export", { lines: [aDraftLine({ price_unit: "100", qualification: "E2" })] }, "100.00"],
    [
      "another currency",
      { currency: "USD", exchange_rate: "1.1", exchange_rate_date: "2026-01-02" },
      "921.42",
    ],
    [
      "a simplified one",
      {
        kind: "simplified",
        withholding: { rate: "" },
        recipient: { ...A_DRAFT.recipient, vat_number: "" },
        lines: [aDraftLine({ price_unit: "10" })],
      },
      "12.10",
    ],
  ])("takes %s", async (_, change, total) => {
    await enable();
    const { problems, preview } = await previewed(await make({ ...A_DRAFT, ...change }));
    expect([problems, preview?.total]).toEqual([[], total]);
  });
});

describe("the issue", () => {
  test("ends the draft, names the person, and is one invoice however often it is sent", async () => {
    const byHand = await enable();
    const id = await make();
    const { sent, status, body } = await issue(id);
    expect([status, body.replayed]).toEqual([200, false]);
    expect(await draftsKept()).toBe(0);
    const again = await owner.post(path(`/${id}/issue`), sent);
    expect(again.body).toEqual({ ...body, replayed: true });
    const detail = await owner.get(`/api/accounts/${shop.accountId}/invoices/${body.data.id}`);
    expect(detail.body.data).toMatchObject({ issuedBy: "María Ferrer" });
    expect(await auditOf(byHand)).toContainEqual(
      expect.objectContaining({
        verb: "issue_by_hand",
        facts: { invoice_id: body.data.id, number: body.data.fullNumber },
      }),
    );
    const saved = await owner.call("PUT", path(`/${id}`), { version: 1, content: A_DRAFT });
    expect([saved.status, saved.body.error_code, saved.body.data.id]).toEqual([
      409,
      "draft_issued",
      body.data.id,
    ]);
    await expectBooksConsistent(byHand.connectionId);
  });

  test("a first save that is repeated, or comes late, after the invoice makes no second draft of it", async () => {
    await enable();
    const sent = { idempotency_key: newKey(), content: A_DRAFT };
    const made = await owner.post(path(), sent);
    const { body } = await issue(made.body.data.id);
    const again = await owner.post(path(), sent);
    expect([again.status, again.body.error_code, again.body.data.id]).toEqual([
      409,
      "draft_issued",
      body.data.id,
    ]);
    expect(await draftsKept()).toBe(0);
  });

  test("is of what the person has seen: another version, number or total is told, and nothing issued", async () => {
    const byHand = await enable();
    const id = await make();
    const { preview } = await previewed(id);
    const seen = { version: 1, number: preview.fullNumber, total: preview.total };
    const send = (expects: object) =>
      owner.post(path(`/${id}/issue`), { idempotency_key: newKey(), expects: { ...seen, ...expects } });
    const stale = await send({ total: "900" });
    expect([stale.status, stale.body.error_code]).toEqual([409, "preview_stale"]);
    expect(stale.body.data.preview).toMatchObject({ total: "921.42" });
    await issue(await make());
    const taken = await send({});
    expect([taken.status, taken.body.error_code]).toEqual([409, "preview_stale"]);
    expect(taken.body.data.preview.fullNumber).toMatch(/-000002$/);
    await owner.call("PUT", path(`/${id}`), { version: 1, content: { ...A_DRAFT, description: "Otra" } });
    const changed = await send({ number: taken.body.data.preview.fullNumber });
    expect([changed.status, changed.body.error_code]).toEqual([409, "draft_changed"]);
    await expectBooksConsistent(byHand.connectionId);
  });

  test("by two people at once is one invoice", async () => {
    const byHand = await enable();
    const id = await make();
    const other = await ownerOf(shop);
    const { preview } = await previewed(id);
    const expects = { version: 1, number: preview.fullNumber, total: preview.total };
    const both = await Promise.all(
      [owner, other].map((by) => by.post(path(`/${id}/issue`), { idempotency_key: newKey(), expects })),
    );
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(both.map(({ body }) => body.replayed).toSorted()).toEqual([false, true]);
    expect(new Set(both.map(({ body }) => body.data.id)).size).toBe(1);
    await expectBooksConsistent(byHand.connectionId);
  });

  test.each([
    ["its batch was refused by a database that was down", failBefore, false],
    ["the answer to its batch was lost", loseAnswer, true],
  ])("after a crash is sent again and is one invoice: %s", async (_, fault, isReplay) => {
    const byHand = await enable();
    const id = await make();
    const { preview } = await previewed(id);
    const sent = {
      idempotency_key: newKey(),
      expects: { version: 1, number: preview.fullNumber, total: preview.total },
    };
    faults.when((sql) => sql.some((text) => /^insert into "ledger_head"/i.test(text)), fault(), { times: 2 });
    const first = await owner.post(path(`/${id}/issue`), sent);
    expect(first.status).toBe(503);
    faults.reset();
    const again = await owner.post(path(`/${id}/issue`), sent);
    expect(again).toMatchObject({ status: 200, body: { data: { fullNumber: preview.fullNumber } } });
    expect(again.body.replayed).toBe(isReplay);
    expect(await draftsKept()).toBe(0);
    await expectBooksConsistent(byHand.connectionId);
  });

  test("leaves series, chain and keys of other connections alone", async () => {
    await enable();
    await directCaller(shop).issue("a", "F1", "1x100@21");
    expect((await issue(await make())).body.data.fullNumber).toMatch(/^MAN-2-/);
    await expectBooksConsistent(shop.connectionId);
  });
});
