/** Whole documents of orders, member by member, as they are kept for ever. */
import { expect, test } from "vitest";
import { fingerprintOf } from "../../../src/domain/invoice/prepare.ts";
import { fiscalFingerprint } from "../../../src/domain/order/facts.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { theSettings } from "../../support/builders/direct-invoicing.ts";
import {
  A_COMPANY,
  aDiscount,
  anOrder,
  course,
  linesOf,
  next,
  onlyIssue,
  refundOf,
  unmapped,
} from "../../support/builders/orders.ts";

const ORDER = anOrder({
  reference: "W-1001",
  breakdown: linesOf("40+4@10#mesa shipping:5+1.05@21#envio"),
  discounts: [aDiscount("10"), aDiscount("20", { kind: "gift_card", name: "Tarjeta regalo" })],
  unmappedTotals: [{ ...unmapped("cod_fee", "3.63"), title: "Contra reembolso" }],
  client: A_COMPANY,
});
const SITUATION = {
  sales: { treatments: { cod_fee: { as: "fee", rate: decimal("21") } } },
} as const;

test("an order with delivery, a coupon, a fee and a gift card", () => {
  const effect = onlyIssue(course(ORDER, SITUATION).decision);
  const { draft, ...rest } = effect;
  expect(rest).toEqual({
    effect: "issue",
    origin: { of: "order" },
    stem: "PED-1",
    acted: [],
    soldFingerprint: fiscalFingerprint(ORDER),
  });
  const s1 = { tax: "01", regime: "01", qualification: "S1" } as const;
  const { request, ...document } = draft.document;
  expect(request).toEqual({
    externalId: "order:5001",
    invoiceType: "F1",
    regime: "art6_full",
    flags: [],
    description: "Pedido W-1001",
    currency: "EUR",
    operationDate: "2026-11-27",
    pricesIncludeTax: false,
    recipient: A_COMPANY,
    rectifies: [],
    lines: [
      { description: "Artículo", quantity: "1", priceUnit: "40", taxRate: "10", ...s1 },
      { description: "Artículo", quantity: "1", priceUnit: "5", taxRate: "21", ...s1 },
      { description: "Contra reembolso", quantity: "1", priceUnit: "3", taxRate: "21", ...s1 },
      { description: "Cupón", quantity: "1", priceUnit: "-9.09", taxRate: "10", ...s1 },
    ],
  });
  expect(document).toEqual({
    v: 1,
    fingerprint: fingerprintOf(request),
    issuer: theSettings().issuer,
    defaults: { tax: "01", regime: "01" },
    lineAmounts: ["40", "5", "3", "-9.09"],
    groups: [
      { ...s1, rate: "10", ...both({ base: "30.91", tax: "3.09", surcharge: "0" }) },
      { ...s1, rate: "21", ...both({ base: "8", tax: "1.68", surcharge: "0" }) },
    ],
    totals: { base: "38.91", tax: "4.77", surcharge: "0", total: "43.68" },
    totalsEur: { base: "38.91", tax: "4.77", surcharge: "0", total: "43.68" },
    cited: [],
    warnings: [],
    payments: [{ name: "Tarjeta regalo", amount: "20" }],
  });
});

test("a part of it that went back", () => {
  const after = next(course(ORDER, SITUATION), { events: [refundOf("r1", "15.45+1.55@10#mesa")] }, SITUATION);
  const { draft, ...rest } = onlyIssue(after.decision);
  expect(rest).toMatchObject({
    origin: { of: "event", eventId: "r1" },
    stem: "PED-1",
    acted: [{ id: "r1", how: "rectified", taken: [{ rate: "10", gross: "17" }] }],
  });
  expect(draft.document.request).toMatchObject({
    externalId: "event:5001:r1",
    invoiceType: "R1",
    regime: "art6_full",
    description: "Reembolso. Pedido W-1001",
    recipient: A_COMPANY,
    rectifies: [{ externalId: "order:5001" }],
    rectificationMethod: "difference",
    lines: [{ description: "Reembolso", quantity: "1", priceUnit: "-15.45", taxRate: "10" }],
  });
  const amounts = { base: "-15.46", tax: "-1.54", surcharge: "0" };
  expect(draft.document.groups).toMatchObject([{ rate: "10", ...both(amounts) }]);
  expect(draft.links).toEqual([{ targetId: "in1", kind: "difference", taken: draft.document.groups }]);
  expect(draft.document.cited).toEqual([
    {
      externalId: "order:5001",
      invoiceId: "in1",
      number: "PED-1-2026-000001",
      issueDate: "2026-11-27",
      invoiceType: "F1",
    },
  ]);
});

function both(amounts: object) {
  return { amounts, eur: amounts };
}
