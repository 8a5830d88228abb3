import type { CivilDate } from "../shared/civil-date.ts";
import type { Facts } from "../shared/fact.ts";
import type { Result } from "../shared/result.ts";
import type { TaxGroup } from "./document.ts";
import type { Documentary } from "./documentary.ts";
import { type IssueRefusal, type IssueRefusalCode, refuse } from "./refusal.ts";
import type { InvoiceRequest } from "./request.ts";
import type { ResolvedLine } from "./tax-groups.ts";

export interface LineContext {
  readonly request: InvoiceRequest;
  readonly documentary: Documentary;
  /** The day on which rates and surcharges are judged: operation date, else issue date. */
  readonly operationDate: CivilDate;
  readonly today: CivilDate;
  /** All lines of the invoice. */
  readonly lines: readonly ResolvedLine[];
  /** The groups of the invoices of ours that it cites. */
  readonly cited?: readonly TaxGroup[];
  /** The lines are of an invoice that was issued: rules of new sales judge them no more. */
  readonly isIssued?: true;
}

/** The name of a line in a refusal. */
export function lineName(line: ResolvedLine): string {
  return line.lineId ?? String(line.index + 1);
}

export function refuseLine(
  code: IssueRefusalCode,
  line: ResolvedLine,
  member: string,
  facts: Facts,
): Result<never, IssueRefusal> {
  return refuse(code, { line_id: lineName(line), ...facts }, `lines.${line.index}.${member}`);
}
