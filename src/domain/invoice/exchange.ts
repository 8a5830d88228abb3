import type { CivilDate } from "../shared/civil-date.ts";
import { type Decimal, divide, isPositive } from "../shared/decimal.ts";
import { ok, type Result } from "../shared/result.ts";
import { type IssueRefusal, refuse } from "./refusal.ts";
import type { InvoiceRequest } from "./request.ts";

/** The rate is quoted as the ECB does, units of the currency per euro (article 79.11 LIVA). */
export function checkExchange(request: InvoiceRequest, today: CivilDate): Result<void, IssueRefusal> {
  const { currency, exchangeRate, exchangeRateDate } = request;
  const invalid = (detail: string, member: string) =>
    refuse("exchange_rate_invalid", { currency, detail }, member);
  if (currency === "EUR") {
    if (exchangeRate !== undefined) return invalid("the invoice is in euros", "exchange_rate");
    return ok(undefined);
  }
  if (exchangeRate === undefined || exchangeRateDate === undefined) {
    return refuse(
      "exchange_rate_required",
      { currency },
      exchangeRate === undefined ? "exchange_rate" : "exchange_rate_date",
    );
  }
  if (!isPositive(exchangeRate)) return invalid("it is not above zero", "exchange_rate");
  if (exchangeRateDate > today) return invalid("its date is in the future", "exchange_rate_date");
  return ok(undefined);
}

/** EUR = amount / rate, to the cent; an amount in euros is itself. */
export function toEur(amount: Decimal, exchangeRate: Decimal | undefined): Decimal {
  return exchangeRate === undefined ? amount : divide(amount, exchangeRate, 2);
}
