import type { AttemptLine } from "../../db/submission/submission-status.ts";
import { type RecordState, recordsOf, type StoredRecord } from "../../domain/invoice/invoice-view.ts";
import { type DocumentStatus, documentStatus } from "../../domain/invoice/rectifiable.ts";
import type { Facts } from "../../domain/shared/fact.ts";
import { type AdviceCode, adviceFor } from "../../domain/verifactu/submission/corrections.ts";
import { operationOf } from "../../domain/verifactu/submission/state.ts";
import { type InvoiceCorrections, viewCorrections } from "../../ledger/corrections/offered-corrections.ts";
import type { InvoiceRead } from "./invoice-detail.ts";

/** One record of an invoice with its submission to the authority. */
export interface RecordCourse {
  readonly recordId: string;
  readonly kind: "registration" | "amendment" | "annulment";
  readonly installationNumber: string;
  readonly position: number;
  readonly hash: string;
  /** Hash of the chain's previous record; absent for the first. */
  readonly previousHash?: string;
  readonly generatedAt: string;
  readonly state: RecordState;
  /** The authority's message, unchanged. */
  readonly code?: number;
  readonly text?: string;
  readonly advice?: { readonly code: AdviceCode; readonly facts: Facts };
  readonly reason?: string;
  readonly userId?: string;
  /** Oldest first. */
  readonly attempts: readonly AttemptLine[];
}

export interface ViewedInvoice {
  readonly standing: DocumentStatus;
  readonly corrections: InvoiceCorrections;
  /** Newest first. */
  readonly records: readonly RecordCourse[];
}

export function viewInvoice(read: InvoiceRead): ViewedInvoice {
  const { stored } = read;
  return {
    standing: documentStatus(stored.rectifiable),
    corrections: viewCorrections(stored),
    records: recordsOf(stored.view)
      .map((record) => courseOf(record, read))
      .toReversed(),
  };
}

function courseOf(stored: StoredRecord & { readonly reason?: string }, read: InvoiceRead): RecordCourse {
  const { recordId, record, state, standing = {}, reason } = stored;
  const { content, position, hash } = record;
  const { code, text } = standing;
  const amends = content.kind === "ALTA" && content.amendment !== undefined;
  const advice = adviceFor({ operation: operationOf(content), state, ...standing });
  const told = {
    ...(code === undefined ? {} : { code }),
    ...(text === undefined ? {} : { text }),
  };
  const userId = read.madeBy.get(recordId)?.userId;
  return {
    ...{ recordId, position, hash, state, ...told },
    kind: content.kind === "ANULACION" ? "annulment" : amends ? "amendment" : "registration",
    installationNumber: content.system.installationNumber,
    generatedAt: content.generatedAt,
    ...(content.chain.first ? {} : { previousHash: content.chain.hash }),
    ...(advice === undefined
      ? {}
      : {
          advice: {
            code: advice,
            facts: {
              number: content.key.number,
              ...(code === undefined ? {} : { code: String(code) }),
              ...(text === undefined ? {} : { aeat_message: text.trim().replace(/\.$/, "") }),
            },
          },
        }),
    ...(reason ? { reason } : {}),
    ...(userId === undefined ? {} : { userId }),
    attempts: read.attempts.get(recordId) ?? [],
  };
}
