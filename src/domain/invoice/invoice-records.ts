import { invariant } from "../shared/result.ts";
import type { RegistrationContent } from "../verifactu/record.ts";
import type { RecordStanding } from "../verifactu/submission/corrections.ts";
import { operationOf } from "../verifactu/submission/state.ts";
import type { InvoiceView, StoredRecord } from "./invoice-view.ts";

type Recorded = Pick<InvoiceView, "alta" | "corrections">;

/** All records of an invoice in the order of the chain. */
export function recordsOf({ alta, corrections }: Recorded): readonly StoredRecord[] {
  return [alta, ...corrections];
}

/** The same as the rules of corrections see them. */
export function standingsOf(invoice: Recorded): readonly RecordStanding[] {
  return recordsOf(invoice).map(({ record, state, standing }) => ({
    operation: operationOf(record.content),
    state,
    ...(standing?.code === undefined ? {} : { code: standing.code }),
    ...(standing?.hold === undefined ? {} : { hold: standing.hold }),
    ...(standing?.found === undefined ? {} : { found: standing.found }),
  }));
}

/** The latest version of the invoice at the authority: its registration, or its newest amendment. */
export function newestRegistration(
  invoice: Recorded,
): StoredRecord & { readonly content: RegistrationContent } {
  for (const stored of recordsOf(invoice).toReversed()) {
    const { content } = stored.record;
    if (content.kind === "ALTA") return { ...stored, content };
  }
  invariant(false, "an invoice is registered by an ALTA record");
}

export function amendmentsOf({ corrections }: Pick<InvoiceView, "corrections">): readonly StoredRecord[] {
  return corrections.filter(({ record }) => record.content.kind === "ALTA");
}

export function annulmentsOf({ corrections }: Pick<InvoiceView, "corrections">): InvoiceView["corrections"] {
  return corrections.filter(({ record }) => record.content.kind === "ANULACION");
}
