import { add, compare, type Decimal, HUNDRED, isZero, multiply, sum, ZERO } from "../shared/decimal.ts";
import type { PreparedInvoice } from "./prepare.ts";
import { differencesOf, type RectifiableInvoice } from "./rectifiable.ts";
import { isFollowedByR5, replacementOf, takenOverBy } from "./replaced-ticket.ts";
import { grossOf, sumAmounts } from "./tax-groups.ts";

/** Any invoice of this connection by its id, as far as it was read. */
export type FindById = (invoiceId: string) => RectifiableInvoice | undefined;

/**
 * The F3 that a request undoes: it cites their replaced invoices with the opposite amounts. External tickets
 * cannot be compared, so an F3 that cites some is never undone by another.
 */
export function undoneIn(
  prepared: PreparedInvoice,
  own: readonly RectifiableInvoice[],
  findById: FindById,
): readonly RectifiableInvoice[] {
  const { invoiceType, rectifies } = prepared.request;
  if (invoiceType !== "F3" || own.length === 0 || own.length < rectifies.length) return [];
  const replacements = own.map(replacementOf);
  const isWhole = replacements.every((acting) => acting !== undefined && isFollowedByR5(acting));
  if (!isWhole) return [];
  const ids = new Set(replacements.flatMap((acting) => acting?.invoiceId ?? []));
  const found = [...ids].flatMap((id) => findById(id) ?? []);
  if (found.length < ids.size || found.some(({ citesElsewhere }) => citesElsewhere)) return [];
  return isOpposite(prepared, own) ? found : [];
}

/** The invoices that an undoing F3 must also cite: all that were replaced, and dependent corrections. */
export function missingToUndo(
  undone: readonly RectifiableInvoice[],
  own: readonly RectifiableInvoice[],
): readonly string[] {
  const cited = new Set(own.map(({ invoiceId }) => invoiceId));
  const replaced = undone.flatMap(({ actsOn }) => actsOn.filter(({ kind }) => kind === "replacement"));
  // The F3 of an R5 is valid only while the F3 of its ticket is in force.
  const stranded = own.flatMap((ticket) => differencesOf(ticket).filter((part) => takenOverBy(part)));
  const missing = [...replaced, ...stranded].filter(({ invoiceId }) => !cited.has(invoiceId));
  return [...new Set(missing.map(({ externalId }) => externalId))];
}

function isOpposite(prepared: PreparedInvoice, own: readonly RectifiableInvoice[]): boolean {
  const issued = grossOf(sumAmounts(own.flatMap(({ groups }) => groups.map(({ amounts }) => amounts))));
  if (isZero(issued)) return true;
  return compare(multiply(statedGross(prepared), issued), ZERO) < 0;
}

/** As near as its sign needs it: the groups are not formed yet. */
function statedGross({ request, lineAmounts }: PreparedInvoice): Decimal {
  return sum(
    request.lines.map(({ taxRate, surchargeRate }, index) => {
      const amount = lineAmounts[index] ?? ZERO;
      const percent = add(add(HUNDRED, taxRate), surchargeRate ?? ZERO);
      return request.pricesIncludeTax ? multiply(amount, HUNDRED) : multiply(amount, percent);
    }),
  );
}
