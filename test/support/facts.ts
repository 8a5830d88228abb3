/** Facts of refusals, written briefly. */
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import { decimal } from "../../src/domain/shared/decimal.ts";
import { type Fact, money, percents as percentsOf } from "../../src/domain/shared/fact.ts";

export function eur(amount: string): Fact {
  return money(decimal(amount), "EUR");
}

export function percent(rate: string): Fact {
  return { percent: decimal(rate) };
}

export function day(date: string): Fact {
  return { date: civilDate(date) };
}

/** `0 4 10 21` is 0 %, 4 %, 10 % or 21 %. */
export function anyPercent(rates: string): Fact {
  return { either: percentsOf(rates.split(" ").map(decimal)) };
}

/** `l1 l2` is l1 and l2. */
export function all(names: string): Fact {
  return { all: names.split(" ") };
}

/** `100.00 + 21.00`, with the surcharge as a third, and the rate before a colon where there is one. */
export function amounts(text: string): Fact {
  const [, rate, sum = ""] = /^(?:(\S+): )?(.*)$/.exec(text) ?? [];
  const [base = "", tax = "", surcharge] = sum.split(" + ");
  const shown: Fact =
    surcharge === undefined
      ? { phrase: "amounts", base: eur(base), tax: eur(tax) }
      : { phrase: "amounts_with_surcharge", base: eur(base), tax: eur(tax), surcharge: eur(surcharge) };
  return rate === undefined ? shown : { phrase: "amounts_at", rate: percent(rate), amounts: shown };
}
