/** Details for electronic invoices of an order: read leniently, and on the invoices that they belong to. */
import { describe, expect, test } from "vitest";
import { parseExactly } from "../../../src/api/wire/json.ts";
import { orderBody } from "../../../src/api/wire/order-body.ts";
import { toOrderFacts } from "../../../src/api/wire/order-facts.ts";
import type { InvoiceRequest, Recipient } from "../../../src/domain/invoice/request.ts";
import { type ClientFacts, fiscalFingerprint, type OrderFacts } from "../../../src/domain/order/facts.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import {
  A_COMPANY,
  A_PERSON,
  aDiscount,
  anOrder,
  course,
  decide,
  linesOf,
  next,
  onlyIssue,
  refundOf,
} from "../../support/builders/orders.ts";

const IBAN = "ES9121000418450200051332";
const TRANSFER = { means: "transfer", iban: IBAN } as const;
const CENTRES = [{ role: "managing_body", code: "L01280796" }] as const;

const BODY = {
  id_external: "5001",
  order_date: "2026-11-27 10:30:00",
  total: 121,
  currency: "EUR",
  contract_version: "1.9",
  client: { company: "Cliente SL" },
  breakdown: [{ base_amount: 100, tax_rate: 21, tax_amount: 21 }],
};

function factsOf(change: object): OrderFacts {
  const sent = parseExactly(JSON.stringify({ ...BODY, ...change }));
  return toOrderFacts(orderBody.parse(sent), { timeZone: "Europe/Madrid", sent }).facts;
}

const toClient = (change: object) => ({ client: { ...BODY.client, ...change } });
const onLine = (change: object) => ({ breakdown: [{ ...BODY.breakdown[0], ...change }] });

describe("what fits is kept", () => {
  test.each<[string, object, object]>([
    ["a due date", { due_date: "2026-12-31" }, { dueDate: "2026-12-31" }],
    ["a payment", { payment: { ...TRANSFER, iban: "es91 2100 0418 4502 0005 1332" } }, { payment: TRANSFER }],
    [
      "references",
      { buyer_reference: "B", order_reference: "O", contract_reference: "C", file_reference: "F" },
      { buyerReference: "B", orderReference: "O", contractReference: "C", fileReference: "F" },
    ],
    [
      "a delivery",
      { delivery: { country: "FR", date: "2026-11-28", address1: "Rue 1", city: "Lyon" } },
      { delivery: { date: "2026-11-28", address1: "Rue 1", city: "Lyon" } },
    ],
    [
      "a period",
      { invoicing_period: { start: "2026-11-01", end: "2026-11-30" } },
      { invoicingPeriod: { start: "2026-11-01", end: "2026-11-30" } },
    ],
    ["a reason", { rectification_reason: "83" }, { rectificationReason: "83" }],
  ])("%s", (_, change, trade) => {
    expect(factsOf(change).trade).toEqual(trade);
  });

  test("of the client and of lines", () => {
    const details = {
      ...{ accepts_electronic: false, endpoint: { scheme: "EM", id: "x" }, province: "Madrid" },
      ...{ surname_1: "Ruiz", surname_2: "Gil", administrative_centres: CENTRES },
    };
    const facts = factsOf({ ...toClient(details), ...onLine({ unit: "HUR", item_code: "SKU" }) });
    expect(facts.client?.details).toEqual({
      ...{ acceptsElectronic: false, endpoint: { scheme: "EM", id: "x" }, province: "Madrid" },
      ...{ surname1: "Ruiz", surname2: "Gil", administrativeCentres: CENTRES },
    });
    expect(facts.breakdown[0]).toMatchObject({ unit: "HUR", itemCode: "SKU" });
    expect(facts.trade).toBeUndefined();
  });
});

describe("what does not fit is left out and named", () => {
  test.each<[string, object, string]>([
    ["a day that is none", { due_date: "soon" }, "due_date"],
    ["a payment without account", { payment: { means: "transfer" } }, "payment"],
    ["a payment of another shape", { payment: ["cash"] }, "payment"],
    ["a long reference", { buyer_reference: "x".repeat(101) }, "buyer_reference"],
    ["a number as reference", { order_reference: 7 }, "order_reference"],
    ["control characters", { contract_reference: "a\u0000b" }, "contract_reference"],
    ["a long file", { file_reference: "x".repeat(21) }, "file_reference"],
    [
      "a period backwards",
      { invoicing_period: { start: "2026-02-01", end: "2026-01-01" } },
      "invoicing_period",
    ],
    ["an unknown reason", { rectification_reason: "99" }, "rectification_reason"],
    ["a day of delivery", { delivery: { date: "27/11/2026" } }, "delivery.date"],
    ["a town that is a list", { delivery: { city: ["x"] } }, "delivery.city"],
    ["an answer in words", toClient({ accepts_electronic: "yes" }), "client.accepts_electronic"],
    ["half an endpoint", toClient({ endpoint: { scheme: "9920" } }), "client.endpoint"],
    ["a long surname", toClient({ surname_1: "x".repeat(41) }), "client.surname_1"],
    [
      "a wrong centre",
      toClient({ administrative_centres: [{ role: "x" }] }),
      "client.administrative_centres",
    ],
    ["no e-mail", toClient({ email: "ana@" }), "client.email"],
    ["an unknown unit", onLine({ unit: "piece" }), "breakdown[].unit"],
    ["a long code", onLine({ item_code: "x".repeat(51) }), "breakdown[].item_code"],
  ])("%s", (_, change, field) => {
    const facts = factsOf(change);
    expect(facts.trade).toEqual({ ignored: [field] });
    const { warnings, state } = decide(anOrder({ trade: facts.trade ?? {} }));
    expect([state, warnings]).toEqual(["invoiced", [{ code: "einvoice_field_ignored", facts: { field } }]]);
  });

  test.each([null, "", "  ", []])("%j is nothing, and no warning", (nothing) => {
    const facts = factsOf({ due_date: nothing, payment: nothing, ...onLine({ unit: nothing }) });
    expect(facts.trade).toBeUndefined();
  });

  test("many lines with the same fault are one warning", () => {
    const line = { ...BODY.breakdown[0], unit: "piece" };
    expect(factsOf({ breakdown: [line, line] }).trade).toEqual({ ignored: ["breakdown[].unit"] });
  });
});

function requestOf(order: OrderFacts): InvoiceRequest {
  return onlyIssue(decide(order)).draft.document.request;
}

function unfitIn(order: OrderFacts) {
  return decide(order).warnings.flatMap(({ code, facts }) =>
    code === "einvoice_field_ignored" ? [facts.field] : [],
  );
}

describe("on the invoice of the order", () => {
  const TRADE = {
    ...{ dueDate: civilDate("2026-12-31"), payment: TRANSFER, buyerReference: "B", orderReference: "O" },
    invoicingPeriod: { start: civilDate("2026-11-01"), end: civilDate("2026-11-30") },
  };

  test("stands all that the order states, but for the reason of a correction", () => {
    const request = requestOf(anOrder({ trade: { ...TRADE, rectificationReason: "83" } }));
    expect(request).toMatchObject(TRADE);
    expect(request).not.toHaveProperty("rectificationReason");
  });

  test("a delivery has the order's country, if there is such a country, and postcode", () => {
    const delivery = { country: "FR", postcode: "69001" };
    const trade = { delivery: { date: civilDate("2026-11-28"), city: "Lyon" } };
    const sale = { sales: { destinations: { euConsumer: "domestic" } } } as const;
    const request = onlyIssue(decide(anOrder({ delivery, trade }), sale)).draft.document.request;
    expect(request.delivery).toEqual({ ...delivery, ...trade.delivery });
  });

  test.each<[string, Partial<OrderFacts>, object | undefined]>([
    ["paid_at was sent: its day", { isPaid: true }, { paidOn: "2026-11-27" }],
    [
      "late at night: the day in the issuer's zone",
      { isPaid: true, paidAt: Date.parse("2026-11-26T23:30:00Z") },
      { paidOn: "2026-11-27" },
    ],
    ["only order_date was sent", {}, undefined],
    [
      "another day was stated",
      { isPaid: true, trade: { payment: { paidOn: civilDate("2026-11-20") } } },
      { paidOn: "2026-11-20" },
    ],
    [
      "means were stated",
      { isPaid: true, trade: { payment: { means: "card" } } },
      { means: "card", paidOn: "2026-11-27" },
    ],
    ["it lies in the future", { isPaid: true, paidAt: Date.parse("2026-11-29T12:00:00Z") }, undefined],
    ["only a part was collected", { isPaid: true, amountPaid: decimal("60") }, undefined],
    ["all of it was collected", { isPaid: true, amountPaid: decimal("121") }, { paidOn: "2026-11-27" }],
    [
      "a gift card paid all of it",
      { isPaid: true, total: decimal("0"), discounts: [aDiscount("121", { kind: "gift_card" })] },
      undefined,
    ],
  ])("paid on the day of payment: %s", (_, change, payment) => {
    expect(requestOf(anOrder(change)).payment).toEqual(payment);
  });

  test.each<[string, OrderFacts, string]>([
    ["a due date before the issue", anOrder({ trade: { dueDate: civilDate("2026-11-26") } }), "due_date"],
    [
      "a payment in the future",
      anOrder({ trade: { payment: { paidOn: civilDate("2026-11-28") } } }),
      "payment",
    ],
  ])("%s is left out and named", (_, order, field) => {
    expect(unfitIn(order)).toEqual([field]);
    expect(requestOf(order)).not.toHaveProperty(field === "due_date" ? "dueDate" : "payment");
  });

  test("unit and article number stand on the line, and change no sale", () => {
    const plain = anOrder();
    const breakdown = plain.breakdown.map((line) => ({ ...line, unit: "HUR", itemCode: "SKU" }));
    const order = anOrder({ breakdown });
    expect(requestOf(order).lines[0]).toMatchObject({ unit: "HUR", itemCode: "SKU" });
    expect(fiscalFingerprint(order)).toBe(fiscalFingerprint(plain));
  });
});

describe("the recipient", () => {
  const MAIL = { email: "Ana@Example.com", details: { acceptsElectronic: true } };
  const PUBLIC: ClientFacts = { ...A_COMPANY, ...MAIL };
  const ANA: ClientFacts = { ...A_PERSON, firstName: "Ana", lastName: "Ruiz Gil", vatNumber: "12345678Z" };

  test.each<[string, ClientFacts, Partial<Recipient>]>([
    ["with its e-mail in lower case", PUBLIC, { email: "ana@example.com", acceptsElectronic: true }],
    [
      "of a ticket has its e-mail alone",
      { ...A_PERSON, ...MAIL },
      { email: "ana@example.com", acceptsElectronic: true },
    ],
    [
      "has the parts of its name",
      { ...ANA, details: { surname1: "Ruiz", surname2: "Gil" } },
      { firstName: "Ana", surname1: "Ruiz", surname2: "Gil" },
    ],
    [
      "has its centres",
      { ...A_COMPANY, details: { administrativeCentres: CENTRES } },
      { administrativeCentres: CENTRES },
    ],
    [
      "has its mailbox and province",
      { ...A_COMPANY, details: { endpoint: { scheme: "EM", id: "x" }, province: "Madrid" } },
      { endpoint: { scheme: "EM", id: "x" }, province: "Madrid" },
    ],
  ])("%s", (_, client, recipient) => {
    const order = anOrder({ client });
    expect(requestOf(order).recipient).toMatchObject(recipient);
    expect(unfitIn(order)).toEqual([]);
  });

  test.each<[string, ClientFacts, string]>([
    ["parts of another name", { ...ANA, details: { surname1: "Ruiz" } }, "client.surname_1"],
    [
      "parts of a company's name",
      { ...A_COMPANY, firstName: "Ana", details: { surname1: "Ruiz" } },
      "client.surname_1",
    ],
    [
      "centres of a company abroad",
      {
        ...A_COMPANY,
        country: "FR",
        vatNumber: "FR40303265045",
        details: { administrativeCentres: CENTRES },
      },
      "client.administrative_centres",
    ],
  ])("%s are left out and named", (_, client, field) => {
    const sale = { sales: { destinations: { euBusiness: "intra_community" } } } as const;
    const breakdown = linesOf(client.country === "FR" ? "100+0@0" : "100+21@21");
    const { warnings } = decide(anOrder({ client, breakdown }), sale);
    expect(warnings).toEqual([{ code: "einvoice_field_ignored", facts: { field } }]);
  });

  test("without an e-mail a ticket has no recipient", () => {
    expect(requestOf(anOrder())).not.toHaveProperty("recipient");
  });
});

test("a correction carries the references and the recipient of its invoice, and its own reason", () => {
  const client = { ...A_COMPANY, email: "ana@example.com" };
  const trade = {
    ...{ buyerReference: "B", dueDate: civilDate("2026-12-31"), payment: TRANSFER },
    rectificationReason: "83",
  } as const;
  const sold = course(anOrder({ client, trade }));
  const { decision } = next(sold, { trade, events: [refundOf("r1", "10+2.1@21")] });
  const { request } = onlyIssue(decision).draft.document;
  expect(request).toMatchObject({
    buyerReference: "B",
    rectificationReason: "83",
    recipient: { email: "ana@example.com" },
  });
  expect([request.dueDate, request.payment]).toEqual([undefined, undefined]);
});

test("a lower price says so by its type, unless the order gives another reason", () => {
  const reduced = refundOf("r1", "10+2.1@21", { type: "price_reduction" });
  const reasonIn = (change: Partial<OrderFacts>) =>
    onlyIssue(next(course(anOrder()), change).decision).draft.document.request.rectificationReason;
  expect(reasonIn({ events: [reduced] })).toBe("83");
  expect(reasonIn({ events: [reduced], trade: { rectificationReason: "81" } })).toBe("81");
  expect(reasonIn({ events: [refundOf("r1", "10+2.1@21")] })).toBeUndefined();
});
