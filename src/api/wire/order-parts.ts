import * as z from "zod";
import { ID_TYPES } from "../../domain/invoice/request.ts";
import type { ClientFacts } from "../../domain/order/facts.ts";
import { filled } from "../../domain/shared/present.ts";
import { present } from "./json.ts";
import { CLIENT_TRADE, LINE_TRADE, toClientDetails } from "./order-trade.ts";
import {
  amount,
  countryForm,
  dayOrMoment,
  freeText,
  idText,
  instant,
  members,
  numberAsText,
  whenDated,
  whenSent,
  wordOf,
} from "./order-values.ts";
import { list } from "./values.ts";

const MOST_LINES = 5000;
const MOST_ENTRIES = 1000;

const product = {
  id_external_product: whenSent(idText()).describe("Identifier of the product in your system."),
  line_id: whenSent(idText()).describe("Of the line in the order; discounts and corrections refer to it."),
  name: whenSent(freeText(1000)).describe("As it is printed on the invoice."),
};

const line = members({
  ...product,
  line_kind: whenSent(wordOf("LineKind")).describe(
    "product (default), shipping, fee, or gift_voucher for the sale of a gift card. Contract 1.5.",
  ),
  quantity: whenSent(amount()).describe("Default 1."),
  base_amount: amount().describe("Of the whole line, without tax."),
  tax_rate: amount().describe("Percent."),
  tax_amount: amount().describe("Of the whole line."),
  equivalence_surcharge_rate: whenSent(amount()).describe("Recargo de equivalencia, percent."),
  equivalence_surcharge_amount: whenSent(amount()).describe("Of the whole line."),
  ...LINE_TRADE,
});

const kind = whenSent(wordOf("AmountKind")).describe(
  "promotional (default), customer_credit, gift_card, loyalty or unknown. Contract 1.8.",
);

const discount = members({
  code: whenSent(idText(255)).describe("Of the coupon."),
  name: whenSent(freeText(1000)).describe("As it is printed on the invoice."),
  amount: amount({ isSigned: false }).describe("Tax included, positive."),
  tax_amount: whenSent(amount()).describe("Kept, not used."),
  kind,
  lines: whenSent(list(idText(), MOST_LINES)).describe("line_id of the lines that it is limited to."),
  included: whenSent(z.boolean()).describe(
    "Already taken off the lines: it is only printed. Not for gift cards. Default false.",
  ),
});

const unmappedTotal = members({
  code: idText(255).describe("Stable, lower case; the owner declares what it is."),
  title: whenSent(freeText(1000)).describe("As the customer saw it."),
  value: amount().describe("Its effect on the order total, signed."),
  kind,
});

const taxTotal = members({
  tax_rate: amount().describe("Percent."),
  base_amount: whenSent(amount()).describe(
    "Of all lines of the rate, without tax. Default: what they add up to.",
  ),
  tax_amount: amount().describe("Of all lines of the rate."),
  equivalence_surcharge_rate: whenSent(amount()).describe("Recargo de equivalencia, percent."),
  equivalence_surcharge_amount: whenSent(amount()).describe("Of all lines of the rate."),
});

const figure = z.preprocess(numberAsText, freeText(64)).meta({ type: ["string", "number"] });

const missingFact = members({
  what: freeText(64).describe("The fact, such as tax_rate, vat_number, discounts or transactions."),
  where: whenSent(idText(255)).describe("The line_id of its line, or another place in the order."),
  stated: whenSent(figure).describe("What the shop says; with computed: a contradiction."),
  computed: whenSent(figure).describe("What its other figures come to."),
});

const correctionLine = members({
  ...product,
  quantity_delta: whenSent(amount()).describe("Signed. Printed."),
  base_delta: amount().describe("Signed: a refund is negative."),
  tax_rate: amount().describe("Percent."),
  tax_delta: amount().describe("Signed: a refund is negative."),
});

const correctionEvent = members({
  id_external_event: idText().describe("Stable: an event acts once."),
  event_type: whenSent(wordOf("EventType")).describe(
    "refund, return, price_reduction, cancellation, void or unknown (default), which issues nothing.",
  ),
  occurred_at: whenDated(instant).describe("RFC 3339 with offset. Kept."),
  reason: whenSent(freeText(1000)).describe("Printed as the cause of the rectification."),
  amount: whenSent(amount()).describe("Signed, tax included. It must be what the lines come to."),
  lines: whenSent(list(correctionLine, MOST_LINES)).describe(
    "What goes back of which rate. Without them the amount must be clear by itself.",
  ),
});

const refundLine = members({
  ...product,
  quantity: whenSent(amount()).describe("Given back, positive. Printed."),
  base_amount: amount().describe("Given back, positive."),
  tax_rate: amount().describe("Percent."),
  tax_amount: amount().describe("Given back, positive."),
});

const refund = members({
  id_external: idText().describe("Stable: a refund acts once."),
  date: whenDated(dayOrMoment).describe("`YYYY-MM-DD`, with a time or without. Kept."),
  amount: amount({ isSigned: false }).describe("Tax included, positive."),
  tax_amount: whenSent(amount()).describe("Kept, not used."),
  lines: whenSent(list(refundLine, MOST_LINES)).describe("What goes back of which rate."),
});

export const breakdown = list(line, MOST_LINES);
export const discounts = list(discount, MOST_ENTRIES);
export const unmappedTotals = list(unmappedTotal, MOST_ENTRIES);
export const missing = list(missingFact, MOST_ENTRIES);
export const taxTotals = list(taxTotal, MOST_ENTRIES);
export const correctionEvents = list(correctionEvent, MOST_ENTRIES);
export const refunds = list(refund, MOST_ENTRIES);
export const tags = list(whenSent(idText(255)), MOST_ENTRIES);

export type BodyLine = z.output<typeof line>;
export type BodyDiscount = z.output<typeof discount>;
export type BodyUnmappedTotal = z.output<typeof unmappedTotal>;
export type BodyTaxTotal = z.output<typeof taxTotal>;
export type BodyMissing = z.output<typeof missingFact>;
export type BodyEvent = z.output<typeof correctionEvent>;
export type BodyEventLine = z.output<typeof correctionLine>;
export type BodyRefund = z.output<typeof refund>;
export type BodyRefundLine = z.output<typeof refundLine>;

/** Members of a customer, in a report and in an order. */
export const CLIENT_MEMBERS = {
  first_name: whenSent(freeText(255)).describe("Of a person; a full invoice to one needs both names."),
  last_name: whenSent(freeText(255)).describe("Of a person, all of them."),
  company: whenSent(freeText(255)).describe(
    "Company of the customer; a full invoice to one needs it and its address.",
  ),
  vat_number: whenSent(freeText(64)).describe("NIF, EU VAT number, or another identifier with its id_type."),
  id_type: whenSent(z.enum(ID_TYPES)).describe(
    "IDType of the AEAT (list L7), where the country does not tell it.",
  ),
  email: whenSent(freeText(320)).describe(
    "For invoices by e-mail. One that mail cannot be sent to is kept and not used.",
  ),
  phone: whenSent(freeText(64)).describe("Kept, not used."),
  country: whenSent(countryForm).describe(
    "ISO 3166-1 alpha-2. Where the sale goes, unless delivery says otherwise.",
  ),
  address1: whenSent(freeText(255)).describe("Street and number."),
  postcode: whenSent(freeText(20)).describe("As text: as a number it would lose its leading zero."),
  city: whenSent(freeText(100)).describe("Town."),
};

/** The customer of an order: a guest has no id. */
export const orderClient = members({
  id_external: whenSent(idText()).describe("Identifier of the customer in your system."),
  ...CLIENT_MEMBERS,
  ...CLIENT_TRADE,
});

export type OrderClient = z.output<typeof orderClient>;

/** An object without members means the same as its absence. */
export function toClientFacts(client: OrderClient): ClientFacts | undefined {
  const details = toClientDetails(client);
  return filled({ ...toClientMembers(client), ...(details ? { details } : {}) });
}

type ClientMembers = Pick<OrderClient, "id_external" | keyof typeof CLIENT_MEMBERS>;

export function toClientMembers(client: ClientMembers): ClientFacts {
  return present({
    idExternal: client.id_external,
    firstName: client.first_name,
    lastName: client.last_name,
    company: client.company,
    vatNumber: client.vat_number,
    idType: client.id_type,
    email: client.email,
    phone: client.phone,
    country: client.country,
    address1: client.address1,
    postcode: client.postcode,
    city: client.city,
  });
}
