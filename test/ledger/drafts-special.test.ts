/** Drafts of special regimes, and issued invoices that are written again: what the form can say and what not. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import type { DraftContent, DraftLine } from "../../src/domain/invoice/draft.ts";
import { A_DRAFT, aDraftLine } from "../support/builders/drafts.ts";
import { expectBooksConsistent } from "../support/rules/consistency.ts";
import { type Browser, ownerOf } from "../support/worlds/console.ts";
import { type Body, directCaller, sentLines } from "../support/worlds/http-calls.ts";
import { aConsent, act, openShop, type Shop } from "../support/worlds/shop.ts";

let shop: Shop;
let owner: Browser;
let byHand: Shop;
let keys = 0;

const newKey = () => `deed-special-${++keys}`;
const path = (rest: string) => `/api/accounts/${shop.accountId}${rest}`;

beforeEach(async () => {
  shop = await openShop();
  owner = await ownerOf(shop);
  const { body } = await owner.post(path("/drafts/connection"), {});
  byHand = { ...shop, connectionId: body.data.connectionId as string };
  const given = { ...aConsent(`co000special${String(++keys).padStart(9, "0")}`), textVersion: "2" };
  expect((await act(byHand, given)).outcome).toBe("done");
});

async function make(content: DraftContent): Promise<string> {
  const made = await owner.post(path("/drafts"), { idempotency_key: newKey(), content });
  expect(made.status).toBe(201);
  return made.body.data.id;
}

const previewed = async (id: string) => (await owner.post(path(`/drafts/${id}/preview`), {})).body.data;

async function issue(id: string) {
  const { version, preview } = await previewed(id);
  const expects = { version, number: preview.fullNumber, total: preview.total };
  return owner.post(path(`/drafts/${id}/issue`), { idempotency_key: newKey(), expects });
}

/** A consumer without a VAT number. */
const CONSUMER = { ...A_DRAFT.recipient, vat_number: "", country: "DE", company: "Anna Schmidt" };
const OSS_LINE = aDraftLine({ price_unit: "100", qualification: "N2", regime: "17", tax_rate: "20" });
const OSS: DraftContent = {
  ...{ ...A_DRAFT, kind: "no_recipient", recipient: CONSUMER, withholding: { rate: "" } },
  ...{ delivery: { country: "FR" }, lines: [OSS_LINE] },
};
const TICKET: DraftContent = {
  ...{ ...A_DRAFT, kind: "simplified", withholding: { rate: "" } },
  ...{ recipient: { ...A_DRAFT.recipient, vat_number: "" }, lines: [aDraftLine({ price_unit: "10" })] },
};
const USED_LINE = aDraftLine({ price_unit: "300", regime: "03", taxable_margin: "121" });
const USED: DraftContent = {
  ...{ ...A_DRAFT, prices_include_tax: true, withholding: { rate: "" }, lines: [USED_LINE] },
};

describe("the form", () => {
  test("offers the states of the one stop shop with the rates of their regions, and both margin schemes", async () => {
    const { special } = (await owner.get(path("/drafts/form"))).body.data.form;
    expect(special.regimes).toEqual(["03", "05", "17"]);
    const states = new Map<string, { rates: string[]; standard: string }>(
      special.states.map((one: { state: string; rates: string[]; standard: string }) => [one.state, one]),
    );
    expect(states.get("FR")).toMatchObject({ standard: "20" });
    expect(states.get("FR")?.rates).toEqual(expect.arrayContaining(["20", "10", "5.5", "2.1"]));
    expect(states.get("PT")).toMatchObject({ standard: "23", rates: expect.arrayContaining(["16"]) });
    expect([states.has("ES"), states.has("GB")]).toEqual([false, false]);
  });
});

describe("a sale of the one stop shop", () => {
  test("has the tax of the state to which it goes, also where the customer lives in another", async () => {
    const id = await make(OSS);
    const { problems, preview } = await previewed(id);
    expect(problems).toEqual([]);
    expect(preview.total).toBe("120.00");
    expect(preview.sheet.html).toMatch(/Francia/);
    expect(preview.sheet.html).not.toMatch(/Alemania.{0,40}IVA|IVA de Alemania/);
    const issued = await issue(id);
    expect(issued.status).toBe(200);
    const detail = await owner.get(path(`/invoices/${issued.body.data.id}`));
    expect(detail.body.data.sheet.html).toMatch(/Francia/);
    await expectBooksConsistent(byHand.connectionId);
  });

  test.each<[string, Partial<DraftContent>, readonly string[]]>([
    ["a rate that no state has", { lines: [{ ...OSS_LINE, tax_rate: "31" }] }, ["lines.0.tax_rate"]],
    ["a line without a rate", { lines: [{ ...OSS_LINE, tax_rate: "" }] }, ["lines.0.tax_rate"]],
    ["a taxed line under its regime", { lines: [{ ...OSS_LINE, qualification: "S1" }] }, ["lines.0.regime"]],
    [
      "a business of the EU, which is no consumer",
      { kind: "full", recipient: { ...CONSUMER, vat_number: "DE811569869" } },
      ["lines.0.regime"],
    ],
    ["a state that is none", { delivery: { country: "Q1" } }, ["delivery.country"]],
  ])("names at its member %s", async (_, change, paths) => {
    const { problems, preview } = await previewed(await make({ ...OSS, ...change }));
    expect(problems.map((problem: { path: string }) => problem.path)).toEqual(paths);
    expect(preview).toBeNull();
  });
});

describe("a sale taxed by its margin", () => {
  test("of used goods has the tax of the margin alone, and the price in its total", async () => {
    const id = await make(USED);
    const { problems, preview } = await previewed(id);
    expect([problems, preview?.total]).toEqual([[], "300.00"]);
    const issued = await issue(id);
    const { amounts } = (await owner.get(path(`/invoices/${issued.body.data.id}`))).body.data;
    expect(JSON.stringify(amounts)).toContain("21.00");
    await expectBooksConsistent(byHand.connectionId);
  });

  test.each<[string, Partial<DraftContent>, readonly string[]]>([
    ["no margin", { lines: [{ ...USED_LINE, taxable_margin: "" }] }, ["lines.0.taxable_margin"]],
    [
      "a margin above the price",
      { lines: [{ ...USED_LINE, taxable_margin: "301" }] },
      ["lines.0.taxable_margin"],
    ],
    [
      "a margin that is no number",
      { lines: [{ ...USED_LINE, taxable_margin: "x" }] },
      ["lines.0.taxable_margin"],
    ],
    ["prices without tax", { prices_include_tax: false }, ["prices_include_tax"]],
    [
      "a surcharge",
      { lines: [{ ...USED_LINE, equivalence_surcharge_rate: "5.2" }] },
      ["lines.0.equivalence_surcharge_rate"],
    ],
  ])("names at its member %s", async (_, change, paths) => {
    const { problems, preview } = await previewed(await make({ ...USED, ...change }));
    expect(problems.map((problem: { path: string }) => problem.path)).toEqual(paths);
    expect(preview).toBeNull();
  });

  test("of a travel agency is its own regime", async () => {
    const lines = [{ ...USED_LINE, regime: "05" as const }];
    const { problems, preview } = await previewed(await make({ ...USED, lines }));
    expect([problems, preview?.total]).toEqual([[], "300.00"]);
  });
});

test("a draft of before special regimes is read, previewed and saved again", async () => {
  const { delivery: _, ...earlier } = A_DRAFT;
  const withoutNew = ({ regime: _regime, taxable_margin: _margin, ...line }: DraftLine) => line;
  const content = { ...earlier, lines: A_DRAFT.lines.map(withoutNew) };
  const sent = await owner.post(path("/drafts"), { idempotency_key: newKey(), content });
  expect(sent.status).toBe(201);
  const { id } = sent.body.data;
  await env.LEDGER_000.prepare("UPDATE invoice_draft SET content = ? WHERE id = ?")
    .bind(JSON.stringify(content), id)
    .run();
  expect((await owner.get(path(`/drafts/${id}`))).body.data.content).toEqual(A_DRAFT);
  expect((await previewed(id)).preview.total).toBe("921.42");
  const saved = await owner.call("PUT", path(`/drafts/${id}`), { version: 1, content });
  expect(saved.status).toBe(200);
});

describe("an issued invoice", () => {
  const duplicate = (invoice: unknown, by = owner) =>
    by.post(path(`/invoices/${String(invoice)}/duplicate`), { idempotency_key: newKey() });
  const copyOf = async (invoice: unknown) =>
    (await owner.get(path(`/invoices/${String(invoice)}`))).body.data.copy;
  const contentOf = async (draft: string): Promise<DraftContent> =>
    (await owner.get(path(`/drafts/${draft}`))).body.data.content;

  test.each<[string, DraftContent]>([
    ["in full", A_DRAFT],
    ["simplified", TICKET],
    ["of an export", { ...A_DRAFT, lines: [aDraftLine({ qualification: "E2", tax_rate: "" })] }],
    ["with surcharge", { ...A_DRAFT, lines: [aDraftLine({ equivalence_surcharge_rate: "5.2" })] }],
    ["with a text of its own", { ...A_DRAFT, description: "Trabajos de noviembre" }],
    ["of the one stop shop", OSS],
    ["of used goods", USED],
  ])("%s is the same draft again, without its dates", async (_, content) => {
    const dated = { ...content, operation_date: "2026-01-15" };
    const issued = await issue(await make(dated));
    expect(issued.status).toBe(200);
    expect(await copyOf(issued.body.data.id)).toEqual({ offered: true });
    const copied = await duplicate(issued.body.data.id);
    expect(copied.status).toBe(201);
    const { recipient: customer, ...wanted } = content;
    const { recipient, ...rest } = await contentOf(copied.body.data.id);
    expect(rest).toEqual(wanted);
    expect(recipient).toMatchObject({ company: customer.company, city: customer.city });
    const again = await issue(copied.body.data.id);
    expect(again.status).toBe(200);
    expect(again.body.data.fullNumber).not.toBe(issued.body.data.fullNumber);
    await expectBooksConsistent(byHand.connectionId);
  });

  test("of another program is a draft of its lines and its customer, once for one key", async () => {
    const { data } = await directCaller(shop).issue("a", "F1", "2x50@21 1x30@10", { order_reference: "P-7" });
    const sent = { idempotency_key: newKey() };
    const first = await owner.post(path(`/invoices/${String(data.invoice_id)}/duplicate`), sent);
    const second = await owner.post(path(`/invoices/${String(data.invoice_id)}/duplicate`), sent);
    expect(second.body.data.id).toBe(first.body.data.id);
    const content = await contentOf(first.body.data.id);
    expect(
      content.lines.map(({ quantity, price_unit, tax_rate }) => [quantity, price_unit, tax_rate]),
    ).toEqual([
      ["2", "50", "21"],
      ["1", "30", "10"],
    ]);
    expect((await previewed(first.body.data.id)).preview.total).toBe("154.00");
  });

  test.each<[string, string, string, Body]>([
    ["copy_of_disbursements", "F1", "1x10@21", { disbursements: [{ description: "Tasa", amount: 5 }] }],
    ["copy_of_tax", "F1", "1x10@7", { lines: sentLines("1x10@7", { type_tax: "03" }) }],
    ["copy_of_regime", "F1", "1x10@21", { lines: sentLines("1x10@21", { regime: "07" }) }],
    ["copy_of_many_lines", "F1", Array.from({ length: 201 }, () => "1x1@21").join(" "), {}],
  ])("that the form cannot say is refused: %s", async (code, type, lines, change) => {
    const issued = await directCaller(shop).issue("b", type, lines, change);
    expect([issued.code, issued.status]).toEqual([undefined, 201]);
    const refused = await duplicate(issued.data.invoice_id);
    expect([refused.status, refused.body.error_code]).toEqual([409, code]);
    expect(await copyOf(issued.data.invoice_id)).toEqual({ offered: false, because: refused.body.error });
  });

  test("that corrects another is refused, and its page says why", async () => {
    const caller = directCaller(shop);
    await caller.issue("c", "F1", "1x10@21");
    const rectified = await caller.issue("d", "R1", "1x-10@21", {
      ...{ rectifies: [{ external_id: "c" }], rectification_method: "difference" },
    });
    expect(rectified.status).toBe(201);
    const refused = await duplicate(rectified.data.invoice_id);
    expect([refused.status, refused.body.error_code]).toEqual([409, "copy_of_correction"]);
    expect((await copyOf(rectified.data.invoice_id)).because).toBe(
      "Una rectificativa, o una factura que sustituye a otra, es de esa factura: no se puede duplicar.",
    );
  });

  test("is not duplicated by an accountant, nor for another company", async () => {
    const { data } = await directCaller(shop).issue("e", "F1", "1x10@21");
    const accountant = await ownerOf(shop, "accountant");
    expect((await duplicate(data.invoice_id, accountant)).status).toBe(403);
    const stranger = await openShop();
    const other = await ownerOf(stranger);
    const sent = { idempotency_key: newKey() };
    const theirs = `/api/accounts/${stranger.accountId}/invoices/${String(data.invoice_id)}/duplicate`;
    expect((await other.post(theirs, sent)).status).toBe(404);
  });
});
