import * as z from "zod";
import { invoiceBody, toInvoiceRequest } from "../../api/wire/invoice-body.ts";
import { shapeProblems } from "../../api/wire/problems.ts";
import { list, longestSent } from "../../api/wire/values.ts";
import { DRAFT_KINDS, DRAFT_REGIMES, type DraftContent, requestBody } from "../../domain/invoice/draft.ts";
import { type PreparedInvoice, prepareInvoice } from "../../domain/invoice/prepare.ts";
import { QUALIFICATIONS } from "../../domain/invoice/request.ts";
import { DRAFTS } from "../../domain/limits.ts";
import { err, ok, type Result } from "../../domain/shared/result.ts";
import type { Language } from "../../words/words.ts";

/** Text as it was typed, also where the contract will refuse it: a draft keeps what is not finished. */
function typed(maximum: number) {
  return z.string().max(longestSent(maximum));
}

const number = typed(40);
const day = typed(10);

const line = z.strictObject({
  description: typed(1_000),
  quantity: number,
  price_unit: number,
  discount_rate: number,
  qualification: z.enum(QUALIFICATIONS),
  tax_rate: number,
  equivalence_surcharge_rate: number,
  // A page that was opened before these members were there sends none of them.
  regime: z.enum(DRAFT_REGIMES).default(""),
  taxable_margin: number.default(""),
});

export const draftContent = z.strictObject({
  kind: z.enum(DRAFT_KINDS),
  recipient: z.strictObject({
    company: typed(255),
    vat_number: typed(64),
    id_type: typed(2),
    country: typed(2),
    address1: typed(255),
    postcode: typed(20),
    city: typed(100),
    email: typed(254),
  }),
  delivery: z.strictObject({ country: typed(2) }).default({ country: "" }),
  operation_date: day,
  prices_include_tax: z.boolean(),
  currency: typed(3),
  exchange_rate: number,
  exchange_rate_date: day,
  lines: list(line, DRAFTS.lines, 1),
  withholding: z.strictObject({ rate: number }),
  due_date: day,
  payment: z.strictObject({ means: typed(20), iban: typed(40) }),
  description: typed(1_000),
}) satisfies z.ZodType<DraftContent>;

export interface DraftProblem {
  /** The member of the draft, as the contract names it; empty where it is none of them. */
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** The draft by the contract of `POST /api/v1/invoice`, or all that is wrong with its shape. */
export function preparedDraft(
  draftId: string,
  content: DraftContent,
  language: Language,
): Result<PreparedInvoice, readonly DraftProblem[]> {
  const body = requestBody(draftId, content);
  const checked = invoiceBody.safeParse(body);
  if (!checked.success) {
    return err(shapeProblems({ ...checked, data: body }, language).details ?? []);
  }
  return ok(prepareInvoice(toInvoiceRequest(checked.data)));
}
