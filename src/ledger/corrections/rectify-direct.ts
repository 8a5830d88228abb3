import type { StoredInvoice } from "../../db/ledger-state.ts";
import { fullNumber, seriesCode } from "../../domain/billing/series.ts";
import { newId } from "../../domain/connection/ids.ts";
import { balancesOf, remainingTotal } from "../../domain/invoice/balance.ts";
import type { LineBalance } from "../../domain/invoice/line-balances.ts";
import { consumptionCountry } from "../../domain/invoice/oss.ts";
import { type DirectInvoice, directInvoiceOf } from "../../domain/invoice/owner-rectification.ts";
import { prepareInvoice } from "../../domain/invoice/prepare.ts";
import { decideAnnulment } from "../../domain/invoice/recorded-invoice.ts";
import { differencesOf } from "../../domain/invoice/rectifiable.ts";
import {
  directLines,
  isSameRectification,
  linesRequest,
  offeredChanges,
} from "../../domain/invoice/rectified-lines.ts";
import { type IssueRefusal, refuse } from "../../domain/invoice/refusal.ts";
import { consoleEventId } from "../../domain/order/order-origin.ts";
import { add, negate } from "../../domain/shared/decimal.ts";
import { err, ok, type Result } from "../../domain/shared/result.ts";
import { directInvoice, invoiceOf, type LedgerDraft } from "../core/ledger-draft.ts";
import { type DecisionDeps, numberInvoice } from "../issue/draft-records.ts";
import { judgeInvoice } from "../issue/judge-invoice.ts";
import { correctRecord } from "./correct-record.ts";
import {
  isOtherThanSeen,
  type LinesOutcome,
  type LinesPreview,
  type LinesRefusal,
  type LinesRequest,
} from "./lines-outcomes.ts";
import { madeBy, recordedInvoice } from "./owner-correction.ts";

/** A rectification of a direct invoice by its lines, by the decision that judges a caller's request. */
export function rectifyDirect(request: LinesRequest, working: LedgerDraft, deps: DecisionDeps): LinesOutcome {
  const { invoiceId, requestId } = request;
  const target = invoiceOf(working, invoiceId);
  const direct = target && directInvoiceOf(target);
  if (!target || !direct) {
    return { outcome: "refused", refusal: refuse("invoice_unknown", { invoice_id: invoiceId }).error };
  }
  return request.rectification.what === "void"
    ? annul(request, { target, direct }, working, deps)
    : rectify({ ...request, externalId: consoleEventId(requestId) }, { target, direct }, working, deps);
}

interface Target {
  readonly target: StoredInvoice;
  readonly direct: DirectInvoice;
}

function rectify(
  request: LinesRequest & { readonly externalId: string },
  { target, direct }: Target,
  working: LedgerDraft,
  deps: DecisionDeps,
): LinesOutcome {
  const { act, externalId, rectification, requestId, invoiceId } = request;
  const known = directInvoice(working, externalId)?.view;
  if (act && known) {
    if (!isSameRectification(known.document, rectification)) {
      return { outcome: "conflict", fullNumber: known.fullNumber };
    }
    const isOurs = deps.createdInGroup.has(known.invoiceId);
    return { outcome: isOurs ? "rectified" : "replayed", made: madeOf(known) };
  }
  const lines = linesOf({ target, direct }, working);
  const frame = frameOf({ target, direct }, lines);
  const decided = decide(request, direct, { lines, working });
  if (!decided.ok) {
    if (act) return { outcome: "refused", refusal: decided.error };
    return { outcome: "previewed", preview: { ...frame, refusal: decided.error } };
  }
  const { issuable, parts } = decided.value;
  const { document } = issuable.draft;
  const { total } = document.totals;
  if (!act || isOtherThanSeen({ total, left: frame.left }, act)) {
    const series = seriesCode(issuable.stem, document.request, working.today);
    const number = (working.series.get(series)?.number ?? 0) + 1;
    const preview: LinesPreview = {
      ...frame,
      parts,
      leftAfter: rectification.what === "substitution" ? total : add(frame.left, total),
      total,
      drafts: [
        {
          kind: "rectification",
          fullNumber: fullNumber(series, number),
          issueDate: working.today,
          document,
        },
      ],
    };
    return { outcome: act ? "stale" : "previewed", preview };
  }
  const { installation, ...toNumber } = issuable;
  const view = numberInvoice({ ...toNumber, requestId }, { working, installation, deps });
  working.audits.push({
    id: newId("al", deps.ledger, deps.random),
    userId: act.userId,
    at: working.now,
    verb: "rectify_invoice",
    facts: {
      ...{ invoice_id: invoiceId, number: view.fullNumber, change: rectification.what },
      reason: document.request.description,
    },
  });
  return { outcome: "rectified", made: madeOf(view) };
}

function madeOf({
  invoiceId,
  fullNumber: number,
}: {
  readonly invoiceId: string;
  readonly fullNumber: string;
}) {
  return { invoiceId, fullNumber: number, annulled: false };
}

interface Frame {
  readonly lines: readonly LineBalance[];
  readonly working: LedgerDraft;
}

function decide(
  { rectification, externalId }: LinesRequest & { readonly externalId: string },
  direct: DirectInvoice,
  { lines, working }: Frame,
) {
  const asked = linesRequest(rectification, direct, { externalId, lines });
  if (!asked.ok) return asked;
  const judgement = judgeInvoice(prepareInvoice(asked.value), working);
  if (judgement.judged === "issuable") {
    return ok({ issuable: judgement.issuable, parts: asked.value.returned ?? [] });
  }
  if (judgement.judged === "refused") return err<LinesRefusal>(inItsField(judgement.refusal));
  // A preview with the id of an act that was carried out.
  return refuse("nothing_left", { number: direct.rectifiable.number });
}

/** The rules name lines and members of a request that the owner has not written. */
function inItsField({ code, facts, path }: IssueRefusal): IssueRefusal {
  if (path === undefined) return { code, facts };
  return { code, facts, path: path === "description" ? "cause" : "lines" };
}

function linesOf({ target, direct }: Target, working: LedgerDraft): LineBalance[] {
  const acting = differencesOf(target.rectifiable).flatMap(
    ({ externalId }) => directInvoice(working, externalId)?.view.document ?? [],
  );
  return directLines(direct, acting);
}

function frameOf({ target: { view, rectifiable } }: Target, lines: readonly LineBalance[]): LinesPreview {
  const { invoiceType, currency } = view.document.request;
  const consumedIn = consumptionCountry(view.document);
  return {
    invoice: {
      ...{ invoiceId: view.invoiceId, fullNumber: view.fullNumber, issueDate: view.issueDate },
      ...{ invoiceType, currency },
      ...(consumedIn === undefined ? {} : { consumedIn }),
    },
    changes: offeredChanges(rectifiable),
    lines,
    parts: [],
    left: remainingTotal(balancesOf(rectifiable)),
    drafts: [],
    annulled: [],
  };
}

/** There was no sale: an ANULACION, by the decision of any other correction of its records. */
function annul(
  request: LinesRequest,
  { target, direct }: Target,
  working: LedgerDraft,
  deps: DecisionDeps,
): LinesOutcome {
  const { act, rectification, requestId, invoiceId } = request;
  const correction = { correction: "annul", reason: rectification.cause } as const;
  const made = { invoiceId, fullNumber: target.view.fullNumber, annulled: true };
  if (act && madeBy({ requestId, correction }, target.view)) return { outcome: "replayed", made };
  const frame = frameOf({ target, direct }, linesOf({ target, direct }, working));
  const total = negate(target.view.document.totals.total);
  const allowed: Result<string, LinesRefusal> = decideAnnulment(
    rectification.cause,
    recordedInvoice(target),
    {
      consented: working.settings.consented,
      find: (externalId) => directInvoice(working, externalId)?.rectifiable,
    },
  );
  const refusal = allowed.ok ? undefined : inTheCause(allowed.error);
  if (refusal && act) return { outcome: "refused", refusal };
  if (refusal) return { outcome: "previewed", preview: { ...frame, refusal } };
  if (!act || isOtherThanSeen({ total, left: frame.left }, act)) {
    const preview = { ...frame, total, leftAfter: add(frame.left, total), annulled: [made.fullNumber] };
    return { outcome: act ? "stale" : "previewed", preview };
  }
  const outcome = correctRecord({ userId: act.userId, requestId, invoiceId, correction }, working, deps);
  switch (outcome.outcome) {
    case "corrected":
    case "replayed":
      return { outcome: "rectified", made };
    default:
      return outcome;
  }
}

function inTheCause(refusal: LinesRefusal): LinesRefusal {
  if (refusal.code !== "cancellation_without_reason") return refusal;
  return refuse("rectify_without_cause", {}, "cause").error;
}
