import type { StoredInvoice } from "../../db/ledger-state.ts";
import { type Remedy, remedyOf } from "../../domain/invoice/decide-amendment.ts";
import { type RecordState, recordsOf, type StoredRecord } from "../../domain/invoice/invoice-view.ts";
import { offersFor } from "../../domain/invoice/recorded-invoice.ts";
import type { RecordRefusal } from "../../domain/invoice/refusal.ts";
import type { Facts } from "../../domain/shared/fact.ts";
import type { Result } from "../../domain/shared/result.ts";
import {
  type AdviceCode,
  type AllowedCorrections,
  adviceFor,
  type Correction,
  duplicateOf,
} from "../../domain/verifactu/submission/corrections.ts";
import type { Finding } from "../../domain/verifactu/submission/meaning.ts";
import type { GateRefusal } from "../core/outcomes.ts";
import { recordedInvoice } from "./owner-correction.ts";

/** The records of an invoice and what its owner may do about them. Plain values, because they cross RPC. */
export interface InvoiceCorrections {
  readonly invoiceId: string;
  readonly number: string;
  readonly cancelled: boolean;
  /** In the order of the chain. */
  readonly records: readonly ShownRecord[];
  readonly need: AllowedCorrections["need"];
  readonly amend: OfferedCorrection;
  readonly annul: OfferedCorrection;
  /** The AEAT has another record under its key: what the owner has found about it. */
  readonly duplicate?: "undecided" | Finding;
  /** The one correct step for the last record; absent if the AEAT accepted it. */
  readonly advice?: { readonly code: AdviceCode; readonly facts: Facts };
  readonly remedy?: Remedy;
}

/** The records that the correction would write and its effect at the AEAT, or the reason for a refusal. */
export type OfferedCorrection =
  | { readonly offered: true; readonly writes: Correction["writes"]; readonly effect: Correction["effect"] }
  | { readonly offered: false; readonly refusal: RecordRefusal };

interface ShownRecord {
  readonly recordId: string;
  readonly kind: "registration" | "amendment" | "annulment";
  readonly position: number;
  readonly generatedAt: string;
  readonly state: RecordState;
  /** The AEAT's response, in its own words. */
  readonly code?: number;
  readonly text?: string;
  readonly reason?: string;
}

export type ReadCorrectionsOutcome =
  | { readonly outcome: "found"; readonly corrections: InvoiceCorrections }
  | { readonly outcome: "unknown" }
  | GateRefusal;

export function viewCorrections(stored: StoredInvoice): InvoiceCorrections {
  const { view, rectifiable } = stored;
  const invoice = recordedInvoice(stored);
  const { need, amend, annul } = offersFor(invoice);
  const records = recordsOf(view).map(shown);
  const last = invoice.records.at(-1);
  const duplicate = duplicateOf(invoice.records);
  const advice = last && adviceFor(last, duplicate);
  const remedy = amend.ok ? remedyOf(invoice) : undefined;
  const { code, text } = records.at(-1) ?? {};
  const facts = {
    number: view.fullNumber,
    ...(code === undefined ? {} : { code: String(code) }),
    ...(text === undefined ? {} : { aeat_message: withoutStop(text) }),
  };
  return {
    invoiceId: view.invoiceId,
    number: view.fullNumber,
    cancelled: rectifiable.cancelled,
    records,
    need,
    amend: offered(amend),
    annul: offered(annul),
    ...(duplicate === undefined ? {} : { duplicate }),
    ...(advice === undefined ? {} : { advice: { code: advice, facts } }),
    ...(remedy === undefined ? {} : { remedy }),
  };
}

/** The text is used within a sentence. */
function withoutStop(text: string): string {
  return text.trim().replace(/\.$/, "");
}

function offered(offer: Result<Correction, RecordRefusal>): OfferedCorrection {
  if (!offer.ok) return { offered: false, refusal: offer.error };
  const { writes, effect } = offer.value;
  return { offered: true, writes, effect };
}

function shown({
  recordId,
  record,
  state,
  standing,
  ...others
}: StoredRecord & { reason?: string }): ShownRecord {
  const { content, position } = record;
  const { code, text } = standing ?? {};
  const amends = content.kind === "ALTA" && content.amendment !== undefined;
  return {
    recordId,
    kind: content.kind === "ANULACION" ? "annulment" : amends ? "amendment" : "registration",
    position,
    generatedAt: content.generatedAt,
    state,
    ...(code === undefined ? {} : { code }),
    ...(text === undefined ? {} : { text }),
    ...(others.reason ? { reason: others.reason } : {}),
  };
}
