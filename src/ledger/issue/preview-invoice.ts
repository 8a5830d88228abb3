import { seriesCode } from "../../domain/billing/series.ts";
import type { InvoicePreview } from "../../domain/invoice/invoice-view.ts";
import type { PreparedInvoice } from "../../domain/invoice/prepare.ts";
import { assertNever } from "../../domain/shared/result.ts";
import type { LedgerDraft } from "../core/ledger-draft.ts";
import type { IssueOutcome } from "../core/outcomes.ts";
import { judgeInvoice } from "./issue-invoice.ts";

export type InvoicePreviewOutcome =
  | { readonly outcome: "previewed"; readonly preview: InvoicePreview }
  | Exclude<IssueOutcome, { readonly outcome: "issued" }>;

/** What would become of a request now, by the judgement that issues; the books stay as they are. */
export function previewInvoice(
  invoice: PreparedInvoice,
  requestId: string,
  working: LedgerDraft,
): InvoicePreviewOutcome {
  const judgement = judgeInvoice(invoice, working);
  switch (judgement.judged) {
    case "issuable": {
      const { draft, stem } = judgement.issuable;
      const { document } = draft;
      const preview = {
        externalId: document.request.externalId,
        series: seriesCode(stem, document.request, working.today),
        issueDate: working.today,
        document,
        requestId,
      };
      return { outcome: "previewed", preview };
    }
    case "known":
      return { outcome: "replayed", invoice: judgement.invoice };
    case "conflict":
      return { outcome: "conflict", fullNumber: judgement.fullNumber };
    case "refused":
      return { outcome: "refused", refusal: judgement.refusal };
    default:
      return assertNever(judgement);
  }
}
