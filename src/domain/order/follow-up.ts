import type { IssueDraft } from "../invoice/decide-issue.ts";
import { partsToTakeOver } from "../invoice/replaced-ticket.ts";
import type { Result } from "../shared/result.ts";
import type { IssuedForOrder, OrderContext } from "./context.ts";
import { identifierIn, operationDateIn } from "./corrections.ts";
import type { OrderEffect } from "./decision.ts";
import { printedLines } from "./full-invoice.ts";
import { citation, draftOf } from "./order-draft.ts";
import { originText } from "./order-origin.ts";
import type { Reason } from "./reasons.ts";

export interface FollowUps {
  readonly effects: readonly OrderEffect[];
  readonly reasons: readonly Reason[];
}

/**
 * Returns of a ticket with a full invoice: each of its rectifications gets a full invoice too, for the same
 * recipient (AEAT, FAQ for developers, 27).
 */
export function followUps(context: OrderContext, target: IssuedForOrder): FollowUps {
  const effects: OrderEffect[] = [];
  const reasons: Reason[] = [];
  for (const { eventId, part } of openParts(context, target)) {
    const draft = draftFollowUp(context, { eventId, part });
    if (!draft.ok) reasons.push(draft.error);
    else {
      effects.push({
        effect: "issue",
        origin: { of: "event_replacement", eventId },
        stem: target.stem,
        draft: draft.value,
        payments: [],
        acted: [],
      });
    }
  }
  return { effects, reasons };
}

interface OpenPart {
  readonly eventId: string;
  readonly part: IssuedForOrder;
}

/** Rectifications of this order's events that no full invoice has taken over. */
function openParts({ facts, history }: OrderContext, { rectifiable }: IssuedForOrder): OpenPart[] {
  const open = new Set(partsToTakeOver(rectifiable).map(({ invoiceId }) => invoiceId));
  const events = new Map(
    history.acted.map(({ id }) => [originText(facts.idExternal, { of: "event", eventId: id }), id]),
  );
  const made = new Set(history.followUps?.map(({ document }) => document.request.externalId));
  return history.rectifications.flatMap((part) => {
    const eventId = events.get(part.document.request.externalId);
    if (eventId === undefined || !open.has(part.rectifiable.invoiceId)) return [];
    // A follow-up that its owner annulled is not issued again.
    const isMade = made.has(originText(facts.idExternal, { of: "event_replacement", eventId }));
    return isMade ? [] : [{ eventId, part }];
  });
}

function draftFollowUp(context: OrderContext, { eventId, part }: OpenPart): Result<IssueDraft, Reason> {
  const { facts, history, issuer, today } = context;
  const { rectifiable, document } = part;
  const { currency, exchangeRate, exchangeRateDate, description } = document.request;
  const replaced = history.replacement?.document.request;
  const identifier = replaced && identifierIn(replaced);
  const operationDate = operationDateIn(rectifiable);
  return draftOf(
    {
      request: {
        externalId: originText(facts.idExternal, { of: "event_replacement", eventId }),
        invoiceType: "F3",
        regime: "art6_full",
        flags: [],
        description,
        currency,
        ...(exchangeRate === undefined ? {} : { exchangeRate }),
        ...(exchangeRateDate === undefined ? {} : { exchangeRateDate }),
        operationDate,
        pricesIncludeTax: false,
        ...(replaced?.recipient === undefined ? {} : { recipient: replaced.recipient }),
        rectifies: [{ externalId: citation(rectifiable).externalId }],
      },
      lines: printedLines(part),
      groups: document.groups,
      ...(identifier ? { identifier } : {}),
      operationDate,
      cited: [rectifiable],
      links: [{ targetId: rectifiable.invoiceId, kind: "replacement", taken: [] }],
    },
    { settings: issuer, today },
  );
}
