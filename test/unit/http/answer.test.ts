import { describe, expect, test } from "vitest";
import { invoiceAnswer } from "../../../src/api/wire/invoice-response.ts";
import type { InvoiceView, LinkedInvoice } from "../../../src/domain/invoice/invoice-view.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { seal } from "../../../src/domain/verifactu/record-hash.ts";
import { day } from "../../support/builders/facts.ts";
import {
  API_KEY,
  aCancelledView,
  anEdge,
  aView,
  withDocument,
  withRequest,
} from "../../support/worlds/http-edge.ts";

async function textOf(invoice: InvoiceView, query = "", language = "en"): Promise<string> {
  const { app } = anEdge({ read: { outcome: "found", invoice } });
  const headers = { "X-API-KEY": API_KEY, "Accept-Language": language };
  return (await app.request(`/api/v1/invoice/order-1${query}`, { headers })).text();
}

async function dataOf(invoice: InvoiceView, query = "", language = "en") {
  const { success, data } = JSON.parse(await textOf(invoice, query, language));
  expect(success).toBe(true);
  return invoiceAnswer.parse(data);
}

const line = aView().document.request.lines[0];

function withLine(change: Partial<NonNullable<typeof line>>): InvoiceView {
  if (!line) throw new Error("the view has a line");
  return withRequest({ lines: [{ ...line, ...change }] });
}

const linked: LinkedInvoice = {
  invoiceId: "in2",
  externalId: "refund-1",
  fullNumber: "API-1RS-2026-000001",
  invoiceType: "R5",
  issueDate: "2026-11-28",
  kind: "difference",
  inForce: true,
};

test("an invoice is shown whole", async () => {
  expect(await dataOf(aView())).toEqual({
    external_id: "order-1",
    invoice_id: "in0000000000000000001",
    series: "API-1S-2026",
    number: 7,
    full_number: "API-1S-2026-000007",
    invoice_type: "F2",
    documentary_regime: "art7_simplified",
    documentary_flags: [],
    description: "Venta",
    issue_date: "2026-11-27",
    operation_date: "2026-11-27",
    currency: "EUR",
    exchange_rate: null,
    exchange_rate_date: null,
    prices_include_tax: false,
    lines: [
      {
        description: "Silla",
        quantity: 1,
        price_unit: 100,
        tax_rate: 21,
        type_tax: "01",
        regime: "01",
        qualification: "S1",
        net: 100,
      },
    ],
    taxes: [
      {
        type_tax: "01",
        regime: "01",
        qualification: "S1",
        tax_rate: 21,
        base: 100,
        tax: 21,
        equivalence_surcharge_rate: 0,
        equivalence_surcharge: 0,
      },
    ],
    totals: { base: 100, tax: 21, surcharge: 0, total: 121 },
    totals_eur: { base: 100, tax: 21, surcharge: 0, total: 121 },
    issuer: { name: "Tienda SL", nif: "B12345674", address: "Calle 1, 28001 Madrid" },
    recipient: null,
    verifactu: {
      record_id: "rc1",
      kind: "ALTA",
      position: 1,
      hash: expect.stringMatching(/^[0-9A-F]{64}$/),
      previous_hash: "",
      generated_at: "2026-11-27T10:15:30+01:00",
      state: "pending_submission",
      qr_url: expect.stringContaining("importe=121.00"),
    },
    amendments: [],
    rectifies: [],
    rectified_by: [],
    cancelled: false,
    warnings: [],
    request_id: "the-first-request",
  });
});

describe("numbers are written digit by digit", () => {
  test.each(["123456789012.123456", "0.1", "9007199254740993", "1000000000000000000000"])(
    "%s",
    async (digits) => {
      expect(await textOf(withLine({ quantity: decimal(digits) }))).toContain(`"quantity":${digits},`);
    },
  );

  test("amounts have at most the decimals of the currency", async () => {
    const { document } = aView();
    const view = withRequest({ currency: "JPY", exchangeRate: decimal("160.5") });
    const odd = { ...view, document: { ...view.document, lineAmounts: [decimal("1.5")] } };
    expect(await textOf(odd)).toContain('"net":2}');
    expect(
      await textOf(withDocument({ totalsEur: { ...document.totals, base: decimal("0.07") } })),
    ).toContain('"totals_eur":{"base":0.07,');
  });
});

test("lines of prices with tax show their gross", async () => {
  const [shown] = (await dataOf(withRequest({ pricesIncludeTax: true }))).lines;
  expect(shown).toMatchObject({ gross: 100, net: 82.64 });
});

test("a line without tax and regime shows the ones it got", async () => {
  const view = withDocument({ defaults: { tax: "03", regime: "07" } });
  expect((await dataOf(view)).lines[0]).toMatchObject({ type_tax: "03", regime: "07" });
});

test("tax 05 has no regime", async () => {
  expect((await dataOf(withLine({ tax: "05" }))).lines[0]).toMatchObject({ type_tax: "05", regime: null });
});

test("optional members of a line are shown when they were sent", async () => {
  const view = withLine({ lineId: "l1", discountRate: decimal("5"), surchargeRate: decimal("5.2") });
  const shown = { line_id: "l1", discount_rate: 5, equivalence_surcharge_rate: 5.2 };
  expect((await dataOf(view)).lines[0]).toMatchObject(shown);
});

test("withholding and the remaining amount are next to the unchanged total", async () => {
  const { totals } = await dataOf(withDocument({ withholding: decimal("15") }));
  expect(totals).toMatchObject({ total: 121, withholding: 15, payable: 106 });
});

test("disbursements and gift cards count in what remains to be paid, never in the total", async () => {
  const view = withRequest({ disbursements: [{ description: "Tasa", amount: decimal("100.005") }] });
  const { totals, disbursements } = await dataOf(view);
  expect(totals).toMatchObject({ total: 121, payable: 221.01 });
  expect(totals).not.toHaveProperty("withholding");
  expect(disbursements).toEqual([{ description: "Tasa", amount: 100.01 }]);
  const paid = withDocument({ payments: [{ name: "Tarjeta regalo", amount: decimal("20") }] });
  expect((await dataOf(paid)).totals).toMatchObject({ total: 121, payable: 101 });
  expect(await dataOf(aView())).not.toHaveProperty("disbursements");
  expect((await dataOf(aView())).totals).not.toHaveProperty("payable");
});

test("foreign currency, operation date and recipient are shown as in the document", async () => {
  const view = withRequest({
    currency: "USD",
    exchangeRate: decimal("1.0823"),
    exchangeRateDate: civilDate("2026-11-26"),
    recipient: { company: "Ana", vatNumber: "12345678Z", idType: "07" },
  });
  const dated = { ...view, document: { ...view.document, operationDate: civilDate("2026-11-20") } };
  expect(await dataOf(dated)).toMatchObject({
    operation_date: "2026-11-20",
    exchange_rate: 1.0823,
    exchange_rate_date: "2026-11-26",
    recipient: { company: "Ana", vat_number: "12345678Z", id_type: "07" },
  });
});

test("a rectified invoice is cited by number, and by external_id where it is ours", async () => {
  const cited = [
    {
      externalId: "order-0",
      number: "API-1S-2026-000001",
      issueDate: civilDate("2026-01-02"),
      invoiceType: "F2",
    },
    { number: "OLD-7", issueDate: civilDate("2025-12-31"), invoiceType: "F2" },
  ];
  expect((await dataOf(withDocument({ cited }))).rectifies).toEqual([
    { external_id: "order-0", number: "API-1S-2026-000001", issue_date: "2026-01-02", invoice_type: "F2" },
    { number: "OLD-7", issue_date: "2025-12-31", invoice_type: "F2" },
  ]);
});

test("only those in force rectify it", async () => {
  const view = aView({ rectifiedBy: [{ ...linked, inForce: false, externalId: "gone" }, linked] });
  expect((await dataOf(view)).rectified_by).toEqual([
    {
      external_id: "refund-1",
      number: "API-1RS-2026-000001",
      issue_date: "2026-11-28",
      invoice_type: "R5",
      kind: "difference",
    },
  ]);
});

test("a cancelled invoice keeps its ALTA and shows the ANULACION with its reason", async () => {
  const { cancelled, verifactu, cancellation } = await dataOf(aCancelledView());
  expect([cancelled, verifactu.kind]).toEqual([true, "ALTA"]);
  expect(cancellation).toMatchObject({ kind: "ANULACION", position: 2, reason: "Nunca se vendió" });
  expect(cancellation?.previous_hash).toBe(verifactu.hash);
});

test("records show the AEAT's answer, and amendments are listed next to the ALTA that they correct", async () => {
  const { alta, ...view } = aView();
  const { content, hash } = alta.record;
  if (content.kind !== "ALTA") throw new Error("an invoice has its ALTA");
  const chain = { first: false, hash, ...content.key } as const;
  const amended = seal({ ...content, chain, amendment: { previousRejection: "X" } }, 2);
  const amendment = {
    recordId: "rc2",
    record: amended,
    state: "accepted_with_errors",
    standing: { code: 2001, text: "No censado." },
    requestId: "the-second-request",
    reason: "",
  } as const;
  const rejected = { ...alta, state: "rejected", standing: { code: 1239, text: "Destinatario." } } as const;
  const { verifactu, amendments, cancelled } = await dataOf({
    ...view,
    alta: rejected,
    corrections: [amendment],
  });
  expect(verifactu).toMatchObject({ state: "rejected", aeat_code: 1239, aeat_message: "Destinatario." });
  expect(amendments).toEqual([
    {
      record_id: "rc2",
      kind: "ALTA",
      position: 2,
      hash: amended.hash,
      previous_hash: hash,
      generated_at: content.generatedAt,
      state: "accepted_with_errors",
      aeat_code: 2001,
      aeat_message: "No censado.",
    },
  ]);
  expect(cancelled).toBe(false);
});

test.each([
  ["en", "The invoice was issued without"],
  ["es", "La factura se ha emitido sin"],
])("a warning is a sentence (%s)", async (language, beginning) => {
  const view = withDocument({ warnings: [{ code: "recipient_identification_expected" }] });
  const [warning] = (await dataOf(view, "", language)).warnings;
  expect(warning?.message.startsWith(beginning)).toBe(true);
});

test("a warning has the facts of its sentence", async () => {
  const facts = { issue_date: day("2026-12-20"), due_date: day("2026-12-15") };
  const [warning] = (await dataOf(withDocument({ warnings: [{ code: "issued_late", facts }] }))).warnings;
  expect(warning).toEqual({
    code: "issued_late",
    message:
      "It was issued on 20 Dec 2026 and was due on 15 Dec 2026; review what waits so that it does not happen " +
      "again.",
    facts: { issue_date: "2026-12-20", due_date: "2026-12-15" },
  });
});

describe("include", () => {
  test.each([
    ["", [false, false]],
    ["?include=", [false, false]],
    ["?include=xml", [false, true]],
    ["?include=qr_svg,xml", [true, true]],
    ["?include=qr_svg&include=xml", [true, true]],
  ])("%s", async (query, [svg, xml]) => {
    const { verifactu } = await dataOf(aView(), query);
    expect([
      verifactu.qr_svg?.startsWith("<svg") ?? false,
      verifactu.xml?.includes("RegistroAlta") ?? false,
    ]).toEqual([svg, xml]);
  });

  test("anything else is refused", async () => {
    const answer = JSON.parse(await textOf(aView(), "?include=pdf"));
    expect(answer).toMatchObject({
      error_code: "validation_failed",
      details: [{ path: "include", code: "not_allowed" }],
    });
  });

  test("the QR has four modules of quiet zone around it", async () => {
    const { verifactu } = await dataOf(aView(), "?include=qr_svg");
    const [, size] = /viewBox="-4 -4 (\d+) \1"/.exec(verifactu.qr_svg ?? "") ?? [];
    expect((Number(size) - 2 * 4 - 17) % 4).toBe(0);
  });
});

test("the margin scheme shows the margin and the rest of the price", async () => {
  const [sold] = aView().document.groups;
  if (!sold) throw new Error("the view has a group");
  const amounts = {
    base: decimal("0.83"),
    tax: decimal("0.17"),
    surcharge: decimal("0"),
    outsideMargin: decimal("9"),
  };
  const view = withRequest({
    pricesIncludeTax: true,
    lines: line ? [{ ...line, priceUnit: decimal("10"), regime: "03", taxableMargin: decimal("1") }] : [],
  });
  const totals = { ...amounts, total: decimal("10") };
  const groups = [{ ...sold, regime: "03", amounts, eur: amounts }];
  const document = { ...view.document, lineAmounts: [decimal("10")], groups, totals, totalsEur: totals };
  const shown = await dataOf({ ...view, document });
  expect(shown.lines[0]).toMatchObject({ taxable_margin: 1, net: 9.83, gross: 10 });
  expect(shown.taxes[0]).toMatchObject({ base: 0.83, tax: 0.17, outside_margin: 9 });
  const told = { base: 0.83, tax: 0.17, surcharge: 0, outside_margin: 9, total: 10 };
  expect(shown.totals).toEqual(told);
  expect(shown.totals_eur).toEqual(told);
});
