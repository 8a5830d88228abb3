import * as z from "zod";
import type { ClientDetails, OrderTrade } from "../../domain/order/facts.ts";
import { emailFrom } from "../../domain/shared/email.ts";
import { filled } from "../../domain/shared/present.ts";
import { present } from "./json.ts";
import {
  DELIVERY_VALUES,
  LINE_VALUES,
  RECIPIENT_VALUES,
  TRADE_VALUES,
  toCentres,
  toDelivery,
  toPayment,
} from "./trade-values.ts";

type Read<Value> = { readonly value: Value } | { readonly value?: undefined; readonly isIgnored: true };

/** A value that is dropped where it does not fit: no order waits for a detail of its invoice. */
function lenient<Schema extends z.ZodType>(schema: Schema) {
  type Output = z.output<Schema>;
  const fitting = schema.transform((value): Read<Output> => ({ value }));
  const other = ANYTHING.transform((sent): Read<Output> | undefined =>
    isNothing(sent) ? undefined : { isIgnored: true },
  );
  return z
    .union([fitting, other])
    .optional()
    .describe(`${schema.description ?? ""} ${ELSE_IGNORED}`);
}

/** Longer text is no mistake of a form: it is refused before anything reads it. */
const LONGEST = 10_000;
const ANYTHING = z
  .unknown()
  .refine((sent) => typeof sent !== "string" || sent.length <= LONGEST, {
    message: `must have at most ${LONGEST} characters`,
  })
  .meta({
    ...{ type: ["string", "number", "boolean", "object", "array", "null"], items: {} },
    maxLength: LONGEST,
  });
const ELSE_IGNORED = "Anything else is left out: warning einvoice_field_ignored.";

/** Null, blank text, and the empty object of PHP. */
function isNothing(sent: unknown): boolean {
  if (sent === undefined || sent === null) return true;
  if (Array.isArray(sent)) return sent.length === 0;
  return typeof sent === "string" && sent.trim() === "";
}

export const ORDER_TRADE = {
  due_date: lenient(TRADE_VALUES.due_date),
  payment: lenient(TRADE_VALUES.payment),
  buyer_reference: lenient(TRADE_VALUES.buyer_reference),
  order_reference: lenient(TRADE_VALUES.order_reference),
  contract_reference: lenient(TRADE_VALUES.contract_reference),
  file_reference: lenient(TRADE_VALUES.file_reference),
  invoicing_period: lenient(TRADE_VALUES.invoicing_period),
  rectification_reason: lenient(TRADE_VALUES.rectification_reason),
};

export const DELIVERY_TRADE = {
  date: lenient(DELIVERY_VALUES.date),
  address1: lenient(DELIVERY_VALUES.address1),
  city: lenient(DELIVERY_VALUES.city),
};

export const CLIENT_TRADE = {
  accepts_electronic: lenient(RECIPIENT_VALUES.accepts_electronic),
  endpoint: lenient(RECIPIENT_VALUES.endpoint),
  province: lenient(RECIPIENT_VALUES.province),
  surname_1: lenient(RECIPIENT_VALUES.surname_1),
  surname_2: lenient(RECIPIENT_VALUES.surname_2),
  administrative_centres: lenient(RECIPIENT_VALUES.administrative_centres),
};

export const LINE_TRADE = {
  unit: lenient(LINE_VALUES.unit),
  item_code: lenient(LINE_VALUES.item_code),
};

type Sent<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;
type ClientTrade = Sent<typeof CLIENT_TRADE>;
type LineTrade = Sent<typeof LINE_TRADE>;

interface Traded extends Sent<typeof ORDER_TRADE> {
  readonly client?: (ClientTrade & { readonly email?: string | undefined }) | undefined;
  readonly delivery?: Sent<typeof DELIVERY_TRADE> | undefined;
  readonly breakdown: readonly LineTrade[];
}

/** The details of an order, with the names of those that did not fit. */
export function toOrderTrade(body: Traded): OrderTrade | undefined {
  const { client, delivery, breakdown } = body;
  const payment = body.payment?.value;
  const to = toDelivery({
    date: delivery?.date?.value,
    address1: delivery?.address1?.value,
    city: delivery?.city?.value,
    country: undefined,
    postcode: undefined,
  });
  const ignored = [
    ...ignoredIn(body, ORDER_TRADE, ""),
    ...ignoredIn(delivery ?? {}, DELIVERY_TRADE, "delivery."),
    ...(client ? ignoredIn(client, CLIENT_TRADE, "client.") : []),
    ...(client?.email !== undefined && emailFrom(client.email) === undefined ? ["client.email"] : []),
    ...new Set(breakdown.flatMap((line) => ignoredIn(line, LINE_TRADE, "breakdown[]."))),
  ];
  return filled(
    present({
      dueDate: body.due_date?.value,
      payment: payment && toPayment(payment),
      buyerReference: body.buyer_reference?.value,
      orderReference: body.order_reference?.value,
      contractReference: body.contract_reference?.value,
      fileReference: body.file_reference?.value,
      invoicingPeriod: body.invoicing_period?.value,
      rectificationReason: body.rectification_reason?.value,
      delivery: to,
      ignored: ignored.length > 0 ? ignored : undefined,
    }),
  );
}

export function toClientDetails(client: ClientTrade): ClientDetails | undefined {
  const centres = client.administrative_centres?.value;
  return filled(
    present({
      acceptsElectronic: client.accepts_electronic?.value,
      endpoint: client.endpoint?.value,
      province: client.province?.value,
      surname1: client.surname_1?.value,
      surname2: client.surname_2?.value,
      administrativeCentres: centres && toCentres(centres),
    }),
  );
}

export function toLineDetails(line: LineTrade) {
  return { unit: line.unit?.value, itemCode: line.item_code?.value };
}

function ignoredIn(sent: object, known: object, prefix: string): string[] {
  const members = new Map<string, unknown>(Object.entries(sent));
  return Object.keys(known)
    .filter((name) => Object.hasOwn(Object(members.get(name)), "isIgnored"))
    .map((name) => `${prefix}${name}`);
}
