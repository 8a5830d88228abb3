import type { CivilDate } from "../shared/civil-date.ts";
import { type Decimal, divide, isPositive } from "../shared/decimal.ts";
import type { Fact } from "../shared/fact.ts";
import { ok, type Result } from "../shared/result.ts";
import { type IssueRefusal, refuse } from "./refusal.ts";
import type { InvoiceRequest } from "./request.ts";

/** The rate is quoted as the ECB does, units of the currency per euro (article 79.11 LIVA). */
export function checkExchange(request: InvoiceRequest, today: CivilDate): Result<void, IssueRefusal> {
  const { currency, exchangeRate, exchangeRateDate } = request;
  if (currency === "EUR") {
    if (exchangeRate === undefined) return ok(undefined);
    const facts = { detail: { phrase: "no_rate_in_euros" }, fix: { phrase: "send_no_rate" } } as const;
    return refuse("exchange_rate_invalid", facts, "exchange_rate");
  }
  const invalid = (detail: Fact, member: string) =>
    refuse("exchange_rate_invalid", { detail, fix: { phrase: "give_rate", currency } }, member);
  if (exchangeRate === undefined || exchangeRateDate === undefined) {
    return refuse(
      "exchange_rate_required",
      { currency },
      exchangeRate === undefined ? "exchange_rate" : "exchange_rate_date",
    );
  }
  if (!isPositive(exchangeRate)) return invalid({ phrase: "rate_not_above_zero" }, "exchange_rate");
  if (exchangeRateDate > today) return invalid({ phrase: "rate_date_in_future" }, "exchange_rate_date");
  return ok(undefined);
}

/** EUR = amount / rate, to the cent; an amount in euros is itself. */
export function toEur(amount: Decimal, exchangeRate: Decimal | undefined): Decimal {
  return exchangeRate === undefined ? amount : divide(amount, exchangeRate, 2);
}
