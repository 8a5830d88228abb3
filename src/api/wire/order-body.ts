import * as z from "zod";
import { contractVersionFrom } from "../../domain/order/sent-order.ts";
import { currencyDecimals } from "../../domain/shared/currency.ts";
import { ZERO } from "../../domain/shared/decimal.ts";
import type { Problem } from "../../words/words.ts";
import {
  breakdown,
  correctionEvents,
  discounts,
  missing,
  orderClient,
  refunds,
  tags,
  taxTotals,
  unmappedTotals,
} from "./order-parts.ts";
import { DELIVERY_TRADE, ORDER_TRADE } from "./order-trade.ts";
import {
  amount,
  countryForm,
  day,
  freeText,
  idText,
  instant,
  LONGEST_ID,
  LONGEST_STORE_ID,
  members,
  moment,
  numberAsText,
  reading,
  whenDated,
  whenFilled,
  whenSent,
  wordOf,
} from "./order-values.ts";
import { exactText, readableId } from "./values.ts";

/**
 * Members that are required only together. It runs with the members' own checks, so that one answer names
 * every problem. It must therefore not assume that they passed.
 */
const whatAnOrderNeeds = z.check((payload) => {
  const report = (member: string, problem: Problem) =>
    payload.issues.push({ code: "custom", input: payload.value, path: [member], params: { problem } });
  const isFaulty = (member: string) => payload.issues.some(({ path }) => path?.[0] === member);
  const sentOf = (member: string) => memberOf(payload.value, member);
  const isUndated = sentOf("order_date") === undefined && sentOf("paid_at") === undefined;
  if (isUndated && !isFaulty("order_date") && !isFaulty("paid_at"))
    report("order_date", { kind: "required" });
  const lines = sentOf("breakdown");
  const isEmpty = Array.isArray(lines) && lines.length === 0;
  if (isEmpty && sentOf("total") !== ZERO && !isFaulty("total")) report("breakdown", { kind: "empty" });
});
whatAnOrderNeeds._zod.def.when = ({ value }) =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

/** Compared exactly; platforms that number their orders send numbers. */
const orderId = readableId(z.preprocess(numberAsText, exactText(LONGEST_ID))).meta({
  type: ["string", "number"],
});

const currency = reading(
  (sent) => (currencyDecimals(sent.toUpperCase()) === undefined ? undefined : sent.toUpperCase()),
  { en: "a current ISO 4217 code, such as EUR", es: "un código ISO 4217 vigente, como EUR" },
).meta({ pattern: "^[A-Za-z]{3}$" });

const contractVersion = z
  .preprocess(
    numberAsText,
    reading(contractVersionFrom, { en: "a version such as 1.9", es: "una versión como 1.9" }),
  )
  .meta({ type: ["string", "number"], pattern: "^\\d{1,4}(\\.\\d{1,4})?$" });

const delivery = members({
  country: whenSent(countryForm).describe("ISO 3166-1 alpha-2."),
  postcode: whenSent(freeText(20)).describe("Tells the Canaries, Ceuta and Melilla."),
  ...DELIVERY_TRADE,
});

const shop = members({ id: whenSent(idText(LONGEST_STORE_ID)).describe("An id of POST /v1/inventory.") });

/**
 * Body of `POST /api/v1/order`, contract versions 1.0 to 1.9: shape only. Unknown or contradictory values are
 * not refused: the order is kept, and the decision holds it.
 */
export const orderBody = members({
  id_external: orderId.describe("Your identifier of the order, compared exactly."),
  reference: whenSent(idText(255)).describe("The number that the customer knows."),
  order_date: whenDated(moment).describe(
    "`YYYY-MM-DD hh:mm:ss`, in the issuer's zone unless it has an offset. Required unless paid_at is sent.",
  ),
  paid_at: whenDated(instant).describe("RFC 3339 with offset. Selects the exchange rate. Contract 1.5."),
  total: amount().describe("With tax, as the customer paid it."),
  total_tax: whenSent(amount()).describe(
    "Compared with the lines. It confirms a rounding difference of an order of one rate.",
  ),
  currency: currency.describe("ISO 4217."),
  status: whenSent(idText()).describe("What the order stands at, where there is no id_order_status."),
  id_order_status: whenSent(idText()).describe(
    "An id_external of POST /api/v1/status; goes before status. One marked cancelled is not invoiced.",
  ),
  source_platform: whenSent(freeText(255)).describe("What the shop runs on, such as prestashop. Kept."),
  fiscal_event: whenSent(wordOf("FiscalEvent")).describe(
    "none, invoice_candidate (asks for the invoice), cancelled or full_invoice_requested (asks for a full " +
      "invoice, also in the place of a simplified one). Others count as none.",
  ),
  invoice_action: whenSent(wordOf("InvoiceAction")).describe(
    "none or create_invoice (asks for the invoice). Others count as none.",
  ),
  test: whenSent(z.boolean()).describe(
    "Placed to try the shop: kept and not invoiced unless the owner releases it. Contract 1.9.",
  ),
  client: whenFilled(orderClient).describe(
    "Who bought. With an identifier that is valid and a name: a full invoice.",
  ),
  delivery: whenFilled(delivery).describe("Where the goods go, when it is not the client's address."),
  breakdown: breakdown.describe("Empty only when total is 0."),
  discounts: whenSent(discounts).describe(
    "Not contained in breakdown unless included. Lines less discounts plus unmapped_totals are the total.",
  ),
  unmapped_totals: whenSent(unmappedTotals).describe(
    "Amounts in the total that are no fiscal line. Contract 1.5.",
  ),
  tax_totals: whenSent(taxTotals).describe(
    "The platform's own totals for each positive rate, over all lines of breakdown. Near enough to the " +
      "lines, they count in their place. Contract 1.9.",
  ),
  amount_paid: whenSent(amount()).describe(
    "Collected so far, gift cards included. It decides nothing: less than what is payable is a warning and " +
      "printed on the invoice, more is a warning. Contract 1.9.",
  ),
  missing: whenSent(missing).describe(
    "What you do not know of the order, or what it contradicts: each entry holds it. Contract 1.9.",
  ),
  correction_events: whenSent(correctionEvents).describe(
    "What changed after the sale: netted into an invoice to come, rectified after it. Contract 1.3.",
  ),
  refunds: whenSent(refunds).describe("Contract 1.2. Not read when correction_events are sent."),
  source_channel: whenSent(freeText(32)).describe("Compared in lower case. Contract 1.3."),
  source_channel_evidence: whenSent(freeText(1000)).describe("`key=value`. Kept, not used. Contract 1.3."),
  shop: whenFilled(shop).describe("The store of an installation with several."),
  tags: whenSent(tags).describe(
    "They describe; only rules that the owner has confirmed act. Case does not matter. Contract 1.4.",
  ),
  ...ORDER_TRADE,
  operation_date: day.describe("When the sale took place, where that is not the day of order_date."),
  updated_at: whenDated(instant).describe(
    "RFC 3339 with offset. Facts older than those stored are not taken.",
  ),
  contract_version: whenSent(contractVersion).describe(
    "The version that the order is written in. Default 1.0.",
  ),
}).check(whatAnOrderNeeds);

export type OrderBody = z.output<typeof orderBody>;

/** Events without their order: at least one of them. */
const whatEventsNeed = z.check((payload) => {
  const isSent = (member: string) => {
    const events = memberOf(payload.value, member);
    return Array.isArray(events) && events.length > 0;
  };
  const isFaulty = payload.issues.some(({ path }) =>
    ["correction_events", "refunds"].includes(String(path?.[0])),
  );
  if (isFaulty || isSent("correction_events") || isSent("refunds")) return;
  const params: { problem: Problem } = { problem: { kind: "required" } };
  payload.issues.push({ code: "custom", input: payload.value, path: ["correction_events"], params });
});
whatEventsNeed._zod.def.when = whatAnOrderNeeds._zod.def.when;

/** Body of `POST /api/v1/order/{id_external}/events`. */
export const orderEventsBody = members({
  correction_events: whenSent(correctionEvents).describe(
    "What changed after the sale, as in an order: each acts once, by its id. At least one, or one of " +
      "refunds.",
  ),
  refunds: whenSent(refunds).describe("The form of contract 1.2. Not read when correction_events are sent."),
  updated_at: whenDated(instant).describe(
    "RFC 3339 with offset. If it is older than the stored order, only events that are not yet known act.",
  ),
  contract_version: whenSent(contractVersion).describe(
    "The version that the events are written in. Default 1.0.",
  ),
}).check(whatEventsNeed);

export type OrderEventsBody = z.output<typeof orderEventsBody>;
