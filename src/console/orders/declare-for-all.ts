import type { Destinations } from "../../domain/billing/destinations.ts";
import type { SalesChange } from "../../domain/billing/sales-change.ts";
import { type OwnSales, saidDestinations } from "../../domain/order/answers/sale.ts";
import type { OrderAnswer } from "../../domain/order/answers/table.ts";

/**
 * What the answers say of amounts and sales, as a declaration of all; undefined where they say nothing of
 * it.
 */
export function declaredForAll(answers: readonly OrderAnswer[]): SalesChange | undefined {
  const treatments = answers.flatMap((answer) =>
    answer.answer === "declare_treatment" ? [[answer.code, answer.treatment] as const] : [],
  );
  const sales = answers.flatMap((answer) => (answer.answer === "declare_sales" ? [answer.sales] : []));
  const rates = answers.flatMap((answer) => (answer.answer === "rounding" ? [answer.rate] : []));
  if (treatments.length + sales.length + rates.length === 0) return undefined;
  return {
    ...Object.assign({}, ...sales.map(otherMembers)),
    ...destinationsIn(sales),
    ...Object.assign({}, ...rates.map((roundingRate) => ({ roundingRate }))),
    ...(treatments.length === 0 ? {} : { treatments: Object.fromEntries(treatments) }),
  };
}

function otherMembers({ destinations: _, foreignSales: __, ...members }: OwnSales) {
  return members;
}

/** By destination: what is said of one takes nothing back of what is declared of the others. */
function destinationsIn(sales: readonly OwnSales[]): Pick<SalesChange, "destinations"> {
  const destinations: Destinations = Object.assign({}, ...sales.map(saidDestinations));
  return Object.keys(destinations).length === 0 ? {} : { destinations };
}
