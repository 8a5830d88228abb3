import type { StoredInvoice } from "../../db/ledger-state.ts";
import type { StoredOrder } from "../../db/order-state.ts";
import { stemIn, stemOf } from "../../domain/billing/series.ts";
import type { ActedEvent, IssuedForOrder, OrderHistory } from "../../domain/order/context.ts";
import { type EffectOrigin, originText } from "../../domain/order/order-origin.ts";
import type { LedgerDraft } from "../core/ledger-draft.ts";

/** An invoice of an order and what it is to it. */
export interface OrderDocument {
  readonly kind: "invoice" | "replacement" | "rectification";
  readonly of: EffectOrigin["of"];
  /** Of an event's the list of those that acted tells it. */
  readonly generation?: number;
  readonly stored: StoredInvoice;
}

type Invoices = Pick<LedgerDraft, "invoices">;

/** Every invoice that was issued for an order, oldest first. */
export function documentsOf(idExternal: string, { invoices }: Invoices): readonly OrderDocument[] {
  return [...generationsOf(idExternal, { invoices }), ...ofEvents(idExternal, { invoices })].toSorted(
    (a, b) => positionOf(a.stored) - positionOf(b.stored),
  );
}

function generationsOf(idExternal: string, { invoices }: Invoices): OrderDocument[] {
  const found: OrderDocument[] = [];
  for (let generation = 1; ; generation += 1) {
    const first = invoices.get(originText(idExternal, { of: "order", generation }));
    const replacement = invoices.get(originText(idExternal, { of: "replacement", generation }));
    if (first) found.push({ kind: "invoice", of: "order", generation, stored: first });
    if (replacement) found.push({ kind: "replacement", of: "replacement", generation, stored: replacement });
    if (!first && !replacement) return found;
  }
}

const SORTS_OF_EVENTS = [
  { kind: "rectification", of: "event" },
  { kind: "replacement", of: "event_replacement" },
] as const;

function ofEvents(idExternal: string, { invoices }: Invoices): OrderDocument[] {
  const sorts = SORTS_OF_EVENTS.map((sort) => ({
    ...sort,
    prefix: originText(idExternal, { of: sort.of, eventId: "" }),
  }));
  return [...invoices.values()].flatMap((stored): OrderDocument[] => {
    const sort = sorts.find(({ prefix }) => stored.view.origin.startsWith(prefix));
    return sort ? [{ kind: sort.kind, of: sort.of, stored }] : [];
  });
}

export function positionOf({ view }: StoredInvoice): number {
  return view.alta.record.position;
}

/** What has happened to an order so far. */
export function historyOf(
  idExternal: string,
  before: Pick<StoredOrder, "acted" | "soldFingerprint" | "reasons">,
  working: LedgerDraft,
): OrderHistory {
  const documents = documentsOf(idExternal, working);
  const ofEvent = new Map(
    before.acted.flatMap(({ id, generation = 1 }) =>
      SORTS_OF_EVENTS.map(({ of }) => [originText(idExternal, { of, eventId: id }), generation] as const),
    ),
  );
  const generationOf = ({ generation, stored }: OrderDocument) =>
    generation ?? ofEvent.get(stored.view.origin) ?? 1;
  const generation = Math.max(1, ...documents.map(generationOf));
  const its = documents.filter((document) => generationOf(document) === generation);
  const invoice = its.find(({ kind }) => kind === "invoice");
  const replacement = its.find(({ of }) => of === "replacement");
  const earlier = documents.find(
    (document) => document.kind === "invoice" && document.generation === generation - 1,
  );
  const issued = ({ stored }: OrderDocument) => issuedForOrder(stored, working);
  return {
    generation,
    ...(earlier ? { earlier: issued(earlier) } : {}),
    ...(invoice ? { invoice: issued(invoice) } : {}),
    ...(replacement ? { replacement: issued(replacement) } : {}),
    rectifications: its.filter(({ kind }) => kind === "rectification").map(issued),
    followUps: its.filter(({ of }) => of === "event_replacement").map(issued),
    acted: before.acted,
    ...(before.soldFingerprint === undefined ? {} : { soldFingerprint: before.soldFingerprint }),
    wasElsewhere: before.reasons.some(({ code }) => code === "invoiced_elsewhere"),
  };
}

/** Its corrections are numbered in the same family, under the installation of today. */
function issuedForOrder({ view, rectifiable }: StoredInvoice, working: LedgerDraft): IssuedForOrder {
  const { request } = view.document;
  const { installation } = working.settings;
  return {
    rectifiable,
    document: view.document,
    stem: stemIn(stemOf(view.series, request, view.trial), {
      installationOrdinal: installation?.ordinal ?? 1,
      trial: installation?.trial ?? false,
    }),
  };
}

/** Acted events with some more; one that annuls two invoices has acted once. */
export function withActed(before: readonly ActedEvent[], more: readonly ActedEvent[]): readonly ActedEvent[] {
  const known = new Set(before.map(keyOf));
  const fresh = more.filter((event, index) => {
    const key = keyOf(event);
    return !known.has(key) && more.findIndex((other) => keyOf(other) === key) === index;
  });
  return fresh.length === 0 ? before : [...before, ...fresh];
}

function keyOf({ id, generation = 1 }: ActedEvent): string {
  return `${generation} ${id}`;
}
