import { fullNumber, seriesCode } from "../../domain/billing/series.ts";
import { newId, type RandomBytes } from "../../domain/connection/ids.ts";
import type { IssueDraft } from "../../domain/invoice/decide-issue.ts";
import { registrationOf } from "../../domain/invoice/invoice-record.ts";
import { type InvoiceView, rectifiableOf } from "../../domain/invoice/invoice-view.ts";
import { externalIdOf } from "../../domain/invoice/origin.ts";
import type { TargetInvoice } from "../../domain/invoice/rectifiable.ts";
import type { Installation } from "../../domain/invoice/settings.ts";
import { invariant } from "../../domain/shared/result.ts";
import { sha256Hex } from "../../domain/shared/sha256.ts";
import { headOf } from "../../domain/verifactu/chain.ts";
import { seal } from "../../domain/verifactu/record-hash.ts";
import type { SoftwareConfig } from "../../domain/verifactu/software.ts";
import { firstState } from "../../domain/verifactu/submission/state.ts";
import { invoicesById, type LedgerDraft, nextPlace } from "../core/ledger-draft.ts";
import { letAct } from "./acting-in-books.ts";

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
}

export interface Numbering {
  readonly working: LedgerDraft;
  readonly installation: Installation;
  readonly deps: DecisionDeps;
}

/** Gives number, record and chain; afterwards the draft contains the invoice. Nothing here may refuse. */
export function numberInvoice(invoice: ToNumber, { working, installation, deps }: Numbering): InvoiceView {
  const { draft, document, origin, stem, requestId } = invoice;
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
  return view;
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
