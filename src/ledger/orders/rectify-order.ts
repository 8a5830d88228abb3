import type { StoredOrder } from "../../db/ledger-state.ts";
import { newId } from "../../domain/connection/ids.ts";
import { remainingTotal } from "../../domain/invoice/balance.ts";
import { consumptionCountry } from "../../domain/invoice/oss.ts";
import { arePartsOf } from "../../domain/invoice/rectified-lines.ts";
import { refuse } from "../../domain/invoice/refusal.ts";
import { consoleEvent, type OrderLines, orderLines, partsIn } from "../../domain/order/console-event.ts";
import type { IssuedForOrder, OrderContext } from "../../domain/order/context.ts";
import { correctedInvoice } from "../../domain/order/decide-order.ts";
import type { CorrectionEvent } from "../../domain/order/facts.ts";
import { referenceOf } from "../../domain/order/first-invoice.ts";
import { aboutEvent } from "../../domain/order/judge-event.ts";
import { consoleEventId, originText } from "../../domain/order/order-origin.ts";
import { holds } from "../../domain/order/reasons.ts";
import { add, type Decimal, negate } from "../../domain/shared/decimal.ts";
import { normalizeText } from "../../domain/shared/text.ts";
import type { LedgerDraft } from "../core/ledger-draft.ts";
import {
  isOtherThanSeen,
  type LinesOutcome,
  type LinesPreview,
  type MadeByLines,
} from "../corrections/lines-outcomes.ts";
import type { DecisionDeps } from "../issue/draft-records.ts";
import { contextOf, decideAndKeep, type OrderResult, unchanged } from "./decide-order.ts";
import type { OrderLinesRequest } from "./order-outcomes.ts";
import { annulledIn, draftsIn } from "./preview-order.ts";

/** A refund, a reduction or an annulment by the owner: an event, decided like one of the shop. */
export function rectifyOrder(
  request: OrderLinesRequest,
  working: LedgerDraft,
  deps: DecisionDeps,
): OrderResult<LinesOutcome> {
  const stored = working.orders.get(request.idExternal);
  const refused = (refusal: Extract<LinesOutcome, { outcome: "refused" }>["refusal"]) =>
    ({ outcome: { outcome: "refused", refusal }, working }) as const;
  if (!stored) return refused(refuse("order_not_found", { order_id: request.idExternal }).error);
  const repeat = request.act && repeatOf(request, stored, working);
  if (repeat) return { outcome: repeat, working };
  const context = contextOf(stored.facts, stored, working);
  const target = correctedInvoice(context);
  if (!target) return refused(refuse("order_not_invoiced").error);
  const { number, cancelled } = target.rectifiable;
  if (cancelled) return refused(refuse("invoice_annulled", { number }).error);
  const { invoice, replacement } = context.history;
  const isOfSale = [invoice, replacement].some((one) => one?.rectifiable.invoiceId === request.invoiceId);
  if (!isOfSale) return refused(refuse("rectify_other_invoice", { number }).error);
  return decide(request, { stored, context, target }, working, deps);
}

/** The event of this id has acted: the same act again, or another one. */
function repeatOf(
  { requestId, rectification: { what, parts, cause }, idExternal }: OrderLinesRequest,
  { answers, acted }: StoredOrder,
  working: LedgerDraft,
): LinesOutcome | undefined {
  const id = consoleEventId(requestId);
  const event = answers.events.find((each) => each.id === id);
  if (!event || !acted.some((each) => each.id === id)) return undefined;
  const made = madeBy(idExternal, event, working);
  const isSame =
    event.type === what &&
    event.reason === normalizeText(cause) &&
    (event.lines.length === 0 || arePartsOf(parts, partsIn(event)));
  return isSame ? { outcome: "replayed", made } : { outcome: "conflict", fullNumber: made.fullNumber };
}

/** The rectification of the event; of an annulment the order's newest invoice. */
function madeBy(idExternal: string, event: CorrectionEvent, { invoices }: LedgerDraft): MadeByLines {
  const own = invoices.get(originText(idExternal, { of: "event", eventId: event.id }));
  const annulled = [...invoices.values()].filter(({ view }) => view.cancellation !== undefined);
  const view = (own ?? annulled.at(-1))?.view;
  return {
    invoiceId: view?.invoiceId ?? "",
    fullNumber: view?.fullNumber ?? "",
    annulled: own === undefined,
  };
}

interface Found {
  readonly stored: StoredOrder;
  readonly context: OrderContext;
  readonly target: IssuedForOrder;
}

function decide(
  request: OrderLinesRequest,
  { stored, context, target }: Found,
  before: LedgerDraft,
  deps: DecisionDeps,
): OrderResult<LinesOutcome> {
  const { act, rectification, requestId, idExternal } = request;
  const of = orderLines(context, target);
  const frame = frameOf(target, of);
  const refused = (refusal: NonNullable<LinesPreview["refusal"]>, more: Pick<LinesPreview, "waits"> = {}) => {
    const outcome: LinesOutcome = act
      ? { outcome: "refused", refusal, ...more }
      : { outcome: "previewed", preview: { ...frame, refusal, ...more } };
    return { outcome, working: before };
  };
  if (!before.settings.consented) return refused(refuse("invoicing_not_enabled").error);
  if (rectification.what === "substitution") {
    return refused(
      refuse("rectify_order_not_substituted", { number: frame.invoice.fullNumber }, "what").error,
    );
  }
  const userId = act?.userId ?? "";
  const asked = { ...rectification, id: consoleEventId(requestId), userId, at: before.now };
  const event = consoleEvent(asked, { ...of, currency: frame.invoice.currency });
  if (!event.ok) return refused(event.error);
  const { answers } = stored;
  const kept = decideAndKeep(
    {
      ...unchanged(stored, requestId),
      answers: {
        ...answers,
        events: [...answers.events, event.value],
        confirmedVoids:
          event.value.type === "void" ? [...answers.confirmedVoids, event.value.id] : answers.confirmedVoids,
      },
    },
    before,
    deps,
  );
  if (!kept.ok) return refused(kept.error);
  const { order, working } = kept.value;
  if (!order.acted.some(({ id }) => id === event.value.id))
    return notActing(event.value, order, context, refused);
  const preview = outcomeIn({ frame, event: event.value, order, target }, working, before);
  if (!act) return { outcome: { outcome: "previewed", preview }, working: before };
  if (isOtherThanSeen(preview, act)) return { outcome: { outcome: "stale", preview }, working: before };
  const made = madeBy(idExternal, event.value, working);
  working.audits.push({
    id: newId("al", deps.ledger, deps.random),
    userId,
    at: working.now,
    verb: made.annulled ? "annul_invoice" : "rectify_invoice",
    facts: {
      ...{ invoice_id: frame.invoice.invoiceId, number: made.fullNumber, change: rectification.what },
      ...{ order: idExternal, reason: event.value.reason ?? "" },
    },
  });
  return { outcome: { outcome: "rectified", made }, working };
}

type Refused = (
  refusal: NonNullable<LinesPreview["refusal"]>,
  more?: Pick<LinesPreview, "waits">,
) => OrderResult<LinesOutcome>;

/** An event of the owner acts at once or not at all: it never waits with the order. */
function notActing(
  event: CorrectionEvent,
  order: StoredOrder,
  { facts, history }: OrderContext,
  refused: Refused,
): OrderResult<LinesOutcome> {
  const number = history.invoice?.rectifiable.number ?? "";
  if (event.type === "void") return refused(refuse("annulment_after_correction", { number }).error);
  const own = order.reasons.find(({ about }) => about === aboutEvent(event));
  const waits = own ?? order.reasons.find(holds);
  if (!waits) return refused(refuse("nothing_left", { number }).error);
  return refused(refuse("rectify_order_waits", { order: referenceOf(facts) }).error, { waits });
}

function frameOf(
  { rectifiable, document }: IssuedForOrder,
  { lines, balances, changes }: OrderLines,
): LinesPreview {
  const { invoiceId, number, issueDate, invoiceType, currency } = rectifiable;
  const consumedIn = consumptionCountry(document);
  return {
    invoice: {
      ...{ invoiceId, fullNumber: number, issueDate, invoiceType, currency },
      ...(consumedIn === undefined ? {} : { consumedIn }),
    },
    ...{ changes, lines },
    parts: [],
    left: remainingTotal(balances),
    drafts: [],
    annulled: [],
  };
}

interface Acted {
  readonly frame: LinesPreview;
  readonly event: CorrectionEvent;
  readonly order: StoredOrder;
  readonly target: IssuedForOrder;
}

function outcomeIn(
  { frame, event, order, target }: Acted,
  working: LedgerDraft,
  before: LedgerDraft,
): LinesPreview {
  const drafts = draftsIn(working, before);
  const own = working.invoices.get(originText(order.idExternal, { of: "event", eventId: event.id }));
  const total: Decimal = own ? own.view.document.totals.total : negate(target.document.totals.total);
  return {
    ...frame,
    parts: partsIn(event),
    total,
    leftAfter: add(frame.left, total),
    // The rectification comes first; a replaced ticket has the full invoice of it too.
    drafts: drafts.toSorted((a, b) => rank(a.kind) - rank(b.kind)),
    annulled: annulledIn(working, before),
  };
}

function rank(kind: LinesPreview["drafts"][number]["kind"]): number {
  return kind === "rectification" ? 0 : 1;
}
