import type { StoredInvoice } from "../../db/ledger-state.ts";
import { fullNumber, seriesCode } from "../../domain/billing/series.ts";
import { newId, type RandomBytes } from "../../domain/connection/ids.ts";
import type { IssueDraft } from "../../domain/invoice/decide-issue.ts";
import { cancellationOf, registrationOf } from "../../domain/invoice/invoice-record.ts";
import {
  annulmentsOf,
  type InvoiceView,
  recordStatusesOf,
  rectifiableOf,
} from "../../domain/invoice/invoice-view.ts";
import { cancelOrigin, externalIdOf } from "../../domain/invoice/origin.ts";
import type { Link, TargetInvoice } from "../../domain/invoice/rectifiable.ts";
import type { Installation } from "../../domain/invoice/settings.ts";
import { queued } from "../../domain/mailing/invoice-delivery.ts";
import { type MailSwitch, mailedWhenIssued } from "../../domain/mailing/mail-switch.ts";
import { sha256Hex } from "../../domain/shared/hash.ts";
import { invariant } from "../../domain/shared/result.ts";
import { headOf } from "../../domain/verifactu/chain.ts";
import { seal } from "../../domain/verifactu/record-hash.ts";
import type { SoftwareConfig } from "../../domain/verifactu/software.ts";
import { annulmentFlags } from "../../domain/verifactu/submission/corrections.ts";
import { firstState } from "../../domain/verifactu/submission/state.ts";
import { invoicesById, type LedgerDraft, nextPlace } from "../core/ledger-draft.ts";

export interface DecisionDeps {
  readonly random: RandomBytes;
  readonly software: SoftwareConfig;
  /** Number of the ledger, part of every id made in it. */
  readonly ledger: string;
  /** Invoice ids and annulment hashes made for this group: found in the database, they are not replays. */
  readonly createdInGroup: Set<string>;
}

/** D1 takes 2,000,000 bytes a row; the local D1 checks nothing. */
export const ROW_LIMIT_BYTES = 1_900_000;

/** Everything known about an invoice except its number. */
export interface ToNumber {
  readonly draft: IssueDraft;
  /** The draft's document as it is kept; at most `ROW_LIMIT_BYTES`. */
  readonly document: string;
  readonly origin: string;
  readonly stem: string;
  readonly requestId: string;
  /** The owner has such invoices mailed; absent while that is off, or for an order that is not mailed. */
  readonly mailing?: MailSwitch | undefined;
}

export interface Numbering {
  readonly working: LedgerDraft;
  readonly installation: Installation;
  readonly deps: DecisionDeps;
}

/** Gives number, record and chain; afterwards the draft contains the invoice. Nothing here may refuse. */
export function numberInvoice(invoice: ToNumber, { working, installation, deps }: Numbering): InvoiceView {
  const { draft, document, origin, stem, requestId, mailing } = invoice;
  const code = seriesCode(stem, draft.document.request, working.today);
  const head = working.series.get(code);
  const next = (head?.number ?? 0) + 1;
  const identity = { fullNumber: fullNumber(code, next), issueDate: working.today };
  const place = nextPlace(working, installation, deps.software);
  const record = seal(registrationOf(draft, identity, place), place.position);
  const view: InvoiceView = {
    invoiceId: newId("in", deps.ledger, deps.random),
    origin,
    externalId: externalIdOf(origin),
    series: code,
    number: next,
    ...identity,
    requestId,
    environment: installation.environment,
    ...(installation.trial ? { trial: true } : {}),
    document: draft.document,
    alta: { recordId: place.reference, record, state: firstState(installation), requestId },
    corrections: [],
    rectifiedBy: [],
  };
  if (!head) working.newSeries.push(code);
  working.series.set(code, { code, number: next, date: working.today });
  working.chain = headOf(record);
  deps.createdInGroup.add(view.invoiceId);
  enter(draft, view, document, working);
  const to = mailedWhenIssued(draft.document.request.recipient, mailing);
  if (to !== undefined) queueMail(to, view, working, deps);
  return view;
}

/** In the batch of its invoice, so that the mail is neither lost nor doubled. */
function queueMail(
  to: string,
  { invoiceId, requestId }: InvoiceView,
  working: LedgerDraft,
  deps: DecisionDeps,
) {
  const id = newId("de", deps.ledger, deps.random);
  const mail = { id, invoiceId, to, language: "es", formats: ["pdf"], cause: "issued" } as const;
  working.newMails.push({ delivery: queued(mail, working.now), requestId });
}

function enter(draft: IssueDraft, view: InvoiceView, document: string, working: LedgerDraft): void {
  working.newInvoices.push({
    view,
    totalEur: view.document.totalsEur.total,
    document,
    documentSha256: sha256Hex(document),
    links: draft.links,
  });
  working.newRecords.push({
    invoiceId: view.invoiceId,
    origin: view.origin,
    stored: view.alta,
    reason: "",
  });
  working.invoices.set(view.origin, {
    view,
    rectifiable: rectifiableOf(view, targetsOf(draft, working), []),
  });
  letAct(view, draft.links, working);
}

function targetsOf({ links }: IssueDraft, working: LedgerDraft): TargetInvoice[] {
  const known = invoicesById(working);
  return links.map(({ targetId, kind }) => {
    const target = known.get(targetId)?.rectifiable;
    invariant(target, "what is acted on was read, or issued in this group");
    const { externalId, invoiceType } = target;
    return { invoiceId: targetId, externalId, kind, invoiceType };
  });
}

/** Updates all invoices of the draft with the new one, as the next read would show them. */
function letAct(view: InvoiceView, links: readonly Link[], working: LedgerDraft): void {
  for (const link of links) {
    for (const [origin, known] of working.invoices) {
      const next = actedOn(actedOnAfar(known, view, link), view, link);
      if (next !== known) working.invoices.set(origin, next);
    }
  }
}

/** A cancelled invoice no longer acts on others: a rectification gives back what it took. */
function letGo(cancelledId: string, working: LedgerDraft): void {
  for (const [origin, known] of working.invoices) {
    const next = withoutFurther(withoutForce(known, cancelledId), cancelledId);
    if (next !== known) working.invoices.set(origin, next);
  }
}

function actedOn(target: StoredInvoice, view: InvoiceView, { targetId, kind, taken }: Link): StoredInvoice {
  if (target.view.invoiceId !== targetId) return target;
  const { invoiceId, externalId, fullNumber, issueDate, document } = view;
  const { invoiceType } = document.request;
  const shown = { invoiceId, externalId, fullNumber, invoiceType, issueDate, kind, inForce: true };
  const acting = { invoiceId, externalId, number: fullNumber, kind, taken, inForce: true, actedOnBy: [] };
  return {
    view: { ...target.view, rectifiedBy: [...target.view.rectifiedBy, shown] },
    rectifiable: { ...target.rectifiable, actedOnBy: [...target.rectifiable.actedOnBy, acting] },
  };
}

/**
 * Notes an invoice that acts on a ticket indirectly: the F3 of its R5, or the correction that undoes its F3.
 */
function actedOnAfar(known: StoredInvoice, view: InvoiceView, { targetId, kind }: Link): StoredInvoice {
  const near = known.rectifiable.actedOnBy.find(({ invoiceId }) => invoiceId === targetId);
  // Only the F3 that undoes it replaces an F3: it has then taken over no part of the ticket.
  if (near?.kind === "replacement" && kind === "replacement") {
    return withoutFurther(withoutForce(known, targetId), targetId);
  }
  const by = { invoiceId: view.invoiceId, number: view.fullNumber, kind };
  const actedOnBy = known.rectifiable.actedOnBy.map((acting) =>
    acting === near ? { ...acting, actedOnBy: [...acting.actedOnBy, by] } : acting,
  );
  const next = near ? { ...known, rectifiable: { ...known.rectifiable, actedOnBy } } : known;
  return kind === "replacement" ? withoutFurther(next, targetId) : next;
}

function withoutForce(known: StoredInvoice, actingId: string): StoredInvoice {
  const { view, rectifiable } = known;
  if (!rectifiable.actedOnBy.some(({ invoiceId }) => invoiceId === actingId)) return known;
  const out = <T extends { readonly invoiceId: string }>(acting: T) =>
    acting.invoiceId === actingId ? { ...acting, inForce: false } : acting;
  return {
    view: { ...view, rectifiedBy: view.rectifiedBy.map(out) },
    rectifiable: { ...rectifiable, actedOnBy: rectifiable.actedOnBy.map(out) },
  };
}

/** Removes the cancelled invoice from those that act on it indirectly. */
function withoutFurther(known: StoredInvoice, furtherId: string): StoredInvoice {
  const isFurther = ({ invoiceId }: { readonly invoiceId: string }) => invoiceId === furtherId;
  const { rectifiable } = known;
  if (!rectifiable.actedOnBy.some(({ actedOnBy }) => actedOnBy.some(isFurther))) return known;
  const actedOnBy = rectifiable.actedOnBy.map((acting) => ({
    ...acting,
    actedOnBy: acting.actedOnBy.filter((further) => !isFurther(further)),
  }));
  return { ...known, rectifiable: { ...rectifiable, actedOnBy } };
}

/** Adds an ANULACION record to an invoice that may be annulled; afterwards the draft contains it. */
export function annulInvoice(
  target: StoredInvoice,
  { reason, requestId }: { readonly reason: string; readonly requestId: string },
  { working, installation, deps }: Numbering,
): InvoiceView {
  const { position, ...place } = nextPlace(working, installation, deps.software);
  const { key } = target.view.alta.record.content;
  // The flags depend on the status of its records, also after a failed annulment.
  const flags = annulmentFlags(recordStatusesOf(target.view));
  const record = seal(cancellationOf(key, place, flags), position);
  const stored = { recordId: place.reference, record, state: firstState(installation), requestId };
  const cancellation = { ...stored, reason };
  const corrections = [...target.view.corrections, cancellation];
  const view: InvoiceView = { ...target.view, corrections, cancellation };
  working.newRecords.push({
    invoiceId: view.invoiceId,
    origin: cancelOrigin(view.invoiceId, annulmentsOf(view).length),
    stored,
    reason,
  });
  working.chain = headOf(record);
  deps.createdInGroup.add(record.hash);
  working.invoices.set(view.origin, { view, rectifiable: { ...target.rectifiable, cancelled: true } });
  letGo(view.invoiceId, working);
  return view;
}
