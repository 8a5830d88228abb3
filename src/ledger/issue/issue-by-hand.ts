import { fullNumber, seriesCode } from "../../domain/billing/series.ts";
import { newId } from "../../domain/connection/ids.ts";
import type { DraftPreview } from "../../domain/invoice/draft.ts";
import { assertNever } from "../../domain/shared/result.ts";
import type { LedgerDraft } from "../core/ledger-draft.ts";
import type { ByHandOutcome, ByHandRequest } from "./by-hand-outcomes.ts";
import { type DecisionDeps, numberInvoice } from "./draft-records.ts";
import { type Judgement, judgeInvoice } from "./judge-invoice.ts";

/** A draft by the decision that judges a caller's request. The person has confirmed its number and total. */
export function issueByHand(
  { invoice, requestId, act }: ByHandRequest,
  working: LedgerDraft,
  deps: DecisionDeps,
): ByHandOutcome {
  const judgement = judgeInvoice(invoice, working);
  switch (judgement.judged) {
    case "issuable": {
      const { installation, ...toNumber } = judgement.issuable;
      const preview = previewOf(judgement, working);
      const { total } = preview.draft.document.totals;
      if (!act) return { outcome: "previewed", preview };
      const isSeen = act.seen.number === preview.fullNumber && act.seen.total === total;
      if (!isSeen) return { outcome: "stale", preview };
      const { mailing } = working.settings;
      const view = numberInvoice({ ...toNumber, requestId, mailing }, { working, installation, deps });
      working.audits.push({
        id: newId("al", deps.ledger, deps.random),
        userId: act.userId,
        at: working.now,
        verb: "issue_by_hand",
        facts: { invoice_id: view.invoiceId, number: view.fullNumber },
      });
      return { outcome: "issued", invoice: view };
    }
    case "known": {
      const isOurs = deps.createdInGroup.has(judgement.invoice.invoiceId);
      return { outcome: isOurs ? "issued" : "replayed", invoice: judgement.invoice };
    }
    case "conflict":
      return { outcome: "conflict", fullNumber: judgement.fullNumber };
    case "refused":
      return { outcome: "refused", refusal: judgement.refusal };
    default:
      return assertNever(judgement);
  }
}

function previewOf(
  { issuable: { draft, stem } }: Extract<Judgement, { readonly judged: "issuable" }>,
  working: LedgerDraft,
): DraftPreview {
  const series = seriesCode(stem, draft.document.request, working.today);
  const number = (working.series.get(series)?.number ?? 0) + 1;
  return { fullNumber: fullNumber(series, number), issueDate: working.today, draft };
}
