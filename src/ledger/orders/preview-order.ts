import type { StoredInvoice } from "../../db/ledger-state.ts";
import { matchProfile } from "../../domain/billing/sales-settings.ts";
import { fullNumber, seriesCode } from "../../domain/billing/series.ts";
import { TAX_OF_TERRITORY } from "../../domain/invoice/settings.ts";
import { ratesOn } from "../../domain/invoice/tax-rates.ts";
import { withAnswers } from "../../domain/order/answers/table.ts";
import { peopleIn } from "../../domain/order/console-event.ts";
import type { OrderContext } from "../../domain/order/context.ts";
import { operationDateOf } from "../../domain/order/dates.ts";
import { type Outlook, outlookOf } from "../../domain/order/decide-first.ts";
import { correctedInvoice } from "../../domain/order/decide-order.ts";
import { declarableDestination } from "../../domain/order/destination.ts";
import { aboutEvent } from "../../domain/order/judge-event.ts";
import { orderOriginOf } from "../../domain/order/order-origin.ts";
import { clientOf, identifierOf } from "../../domain/order/recipient.ts";
import type { LedgerDraft } from "../core/ledger-draft.ts";
import type { DecisionDeps } from "../issue/draft-records.ts";
import { aboutItsReason } from "./answer-question.ts";
import {
  contextOf,
  currentOrderOf,
  decideAndKeep,
  type OrderResult,
  unchanged,
  unknownOrder,
} from "./decide-order.ts";
import type {
  AnswerChoices,
  DraftInvoice,
  NumberedOutlook,
  OrderPreview,
  OrderPreviewing,
  PreviewOutcome,
} from "./order-outcomes.ts";

/** Decides the order with the given answers and these, on a copy of the books. */
export function previewOrder(
  { idExternal, answers, requestId, isOfQuestion }: OrderPreviewing,
  working: LedgerDraft,
  deps: DecisionDeps,
): OrderResult<PreviewOutcome> {
  const stored = working.orders.get(idExternal);
  if (!stored) return unknownOrder(idExternal, working);
  const before = currentOrderOf(stored, working);
  const given = isOfQuestion ? answers.map((one) => aboutItsReason(one, stored)) : answers;
  const together = withAnswers(given, before);
  const kept = decideAndKeep({ ...unchanged(stored, requestId), answers: together.answers }, working, deps);
  if (!kept.ok) return { outcome: { outcome: "refused", refusal: kept.error }, working };
  const { order, working: after } = kept.value;
  const drafts = draftsIn(after, working);
  const context = contextOf(order.facts, { ...stored, answers: order.answers }, working);
  const isFirst = !context.history.invoice && (order.state === "held" || drafts.length > 0);
  const outlook = isFirst ? numbered(outlookOf(context), working) : undefined;
  const preview: OrderPreview = {
    before: { state: before.state, reasons: before.reasons },
    state: order.state,
    reasons: order.reasons,
    warnings: order.warnings,
    refusals: together.refusals,
    drafts,
    annulled: annulledIn(after, working),
    ...(outlook ? { outlook } : {}),
    choices: choicesOf(context),
    madeBy: peopleIn(order.answers),
  };
  return { outcome: { outcome: "previewed", preview }, working };
}

/** The next number of the series that it would use. */
function numbered(outlook: Outlook | undefined, working: LedgerDraft): NumberedOutlook | undefined {
  if (!outlook?.kind) return outlook;
  const code = seriesCode(outlook.stem, outlook.kind, working.today);
  return { ...outlook, fullNumber: fullNumber(code, (working.series.get(code)?.number ?? 0) + 1) };
}

export function draftsIn(after: LedgerDraft, before: LedgerDraft): DraftInvoice[] {
  const fresh = [...after.invoices.values()].filter(({ view }) => !before.invoices.has(view.origin));
  return fresh.map(({ view }) => ({
    kind: kindOf(view.origin),
    fullNumber: view.fullNumber,
    issueDate: view.issueDate,
    document: view.document,
  }));
}

function kindOf(origin: string): DraftInvoice["kind"] {
  const of = orderOriginOf(origin)?.of;
  if (of === "event") return "rectification";
  return of === "replacement" || of === "event_replacement" ? "replacement" : "invoice";
}

export function annulledIn(after: LedgerDraft, before: LedgerDraft): string[] {
  const isAnnulled = ({ view }: StoredInvoice) => view.cancellation !== undefined;
  const known = [...before.invoices.values()].filter((invoice) => !isAnnulled(invoice));
  return known.flatMap(({ view: { origin, fullNumber } }) => {
    const now = after.invoices.get(origin);
    return now && isAnnulled(now) ? [fullNumber] : [];
  });
}

function choicesOf(context: OrderContext): AnswerChoices {
  const { facts, issuer, settings, answers, today } = context;
  const { profiles } = settings;
  const found = matchProfile(facts, profiles);
  const offered = found.match === "one" ? [found.profile] : profiles;
  const chosen = profiles.find(({ id }) => id === answers.profileId);
  const profile = chosen ?? (found.match === "one" ? found.profile : undefined);
  const tax = TAX_OF_TERRITORY[issuer.territory];
  const destination = declarableDestination(context, identifierOf(clientOf(context)));
  return {
    today,
    ...(profile ? { profileId: profile.id } : {}),
    ...(destination ? { destination } : {}),
    profiles: offered.map(({ id, name }) => ({ id, name })),
    tax,
    rates: ratesOn(tax, operationDateOf(context)) ?? [],
    client: clientOf(context),
    events: facts.events.map((event) => ({
      id: event.id,
      about: aboutEvent(event),
      ...(event.amount === undefined ? {} : { amount: event.amount }),
    })),
    invoicedRates: correctedInvoice(context)?.document.groups.map(({ rate }) => rate) ?? [],
  };
}
