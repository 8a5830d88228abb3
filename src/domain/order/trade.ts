import type { PaymentTerms } from "../invoice/payment-terms.ts";
import type { Recipient, TradeDetails } from "../invoice/request.ts";
import { isCountry } from "../shared/country.ts";
import { isPositive } from "../shared/decimal.ts";
import { emailFrom } from "../shared/email.ts";
import { localTime } from "../shared/instant.ts";
import { filled, present } from "../shared/present.ts";
import type { OrderContext } from "./context.ts";
import type { ClientFacts, OrderFacts } from "./facts.ts";
import type { OrderWarning } from "./reasons.ts";

/** The details for an invoice, and the members that do not fit it. */
export interface TradeReading {
  readonly details: TradeDetails;
  readonly unfit: readonly string[];
}

type Dated = Pick<OrderContext, "facts" | "issuer" | "today">;

/** Both days are judged by the issue date. `isInPart`: the shop has not collected all of it. */
export function tradeOf(context: Dated, { isInPart }: { readonly isInPart: boolean }): TradeReading {
  const { facts, today } = context;
  const { dueDate, payment, rectificationReason: _, ignored: __, delivery: ___, ...rest } = facts.trade ?? {};
  const isDateFit = dueDate === undefined || dueDate >= today;
  const isPaymentFit = payment?.paidOn === undefined || payment.paidOn <= today;
  const paid = isInPart ? undefined : paidOnIn(context);
  const settled = paymentOf(isPaymentFit ? payment : undefined, paid);
  const delivery = deliveryOf(facts);
  return {
    details: {
      ...rest,
      ...(dueDate !== undefined && isDateFit ? { dueDate } : {}),
      ...(settled ? { payment: settled } : {}),
      ...(delivery ? { delivery } : {}),
    },
    unfit: [...(isDateFit ? [] : ["due_date"]), ...(isPaymentFit ? [] : ["payment"])],
  };
}

function paymentOf(
  payment: PaymentTerms | undefined,
  paidOn: PaymentTerms["paidOn"],
): PaymentTerms | undefined {
  return paidOn === undefined ? payment : { paidOn, ...payment };
}

/** The day of `paid_at`, if the order states it and costs something. */
function paidOnIn({ facts, issuer, today }: Dated): PaymentTerms["paidOn"] {
  if (!facts.isPaid || !isPositive(facts.total)) return undefined;
  const { date } = localTime(facts.paidAt, issuer.timeZone);
  return date <= today ? date : undefined;
}

/** Shops have codes of countries that no list knows: an invoice names only those that there are. */
function deliveryOf({ delivery = {}, trade }: OrderFacts): TradeDetails["delivery"] {
  const { country, postcode } = delivery;
  const isKnown = country !== undefined && isCountry(country);
  return filled(present({ ...trade?.delivery, country: isKnown ? country : undefined, postcode }));
}

/** What a client without identifier says about mail. */
export function mailDetails({ email, details }: ClientFacts): Pick<Recipient, "email" | "acceptsElectronic"> {
  const address = email === undefined ? undefined : emailFrom(email);
  return present({ email: address, acceptsElectronic: details?.acceptsElectronic });
}

/** Members of the client that a recipient of this kind and name cannot have. */
export function unfitOfClient({ details = {} }: ClientFacts, recipient: Recipient): string[] {
  const isNameUnfit = details.surname1 !== undefined && recipient.surname1 === undefined;
  const { administrativeCentres: centres } = details;
  const isCentreUnfit = centres !== undefined && recipient.administrativeCentres === undefined;
  return [
    ...(isNameUnfit ? ["client.surname_1"] : []),
    ...(isCentreUnfit ? ["client.administrative_centres"] : []),
  ];
}

/** One for each member, whether its form or the invoice rules it out. */
export function ignoredWarnings(fields: readonly string[]): OrderWarning[] {
  return fields.map((field) => ({ code: "einvoice_field_ignored", facts: { field } }));
}
