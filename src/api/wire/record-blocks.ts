import type { InvoiceView, StoredRecord } from "../../domain/invoice/invoice-view.ts";
import { invariant } from "../../domain/shared/result.ts";
import { qrUrl } from "../../domain/verifactu/qr-url.ts";
import { recordXml } from "../../domain/verifactu/xml/record-xml.ts";
import type { Include } from "./parameters.ts";
import { present } from "./present.ts";
import { qrSvg } from "./qr-svg.ts";

/** The registration record of an invoice, which stays the same when the invoice is cancelled. */
export function verifactuBlock(view: InvoiceView, include: ReadonlySet<Include>) {
  const { record } = view.alta;
  const url = qrUrlOf(view);
  return present({
    ...recordBlock(view.alta),
    qr_url: url,
    qr_svg: include.has("qr_svg") && url !== null ? qrSvg(url) : undefined,
    xml: include.has("xml") ? recordXml(record) : undefined,
  });
}

export function cancellationBlock(cancellation: StoredRecord & { readonly reason: string }) {
  return { ...recordBlock(cancellation), reason: cancellation.reason };
}

/**
 * Literals of the record itself: a first record has no previous hash, and its own input says `Huella=`. What
 * the AEAT said of it stands in the AEAT's own words.
 */
export function recordBlock({ recordId, record, state, standing }: StoredRecord) {
  const { content, position, hash } = record;
  return present({
    record_id: recordId,
    kind: content.kind,
    position,
    hash,
    previous_hash: content.chain.first ? "" : content.chain.hash,
    generated_at: content.generatedAt,
    state,
    aeat_code: standing?.code,
    aeat_message: standing?.text,
  });
}

function qrUrlOf({ environment, trial, alta }: InvoiceView): string | null {
  if (trial) return null;
  const { content } = alta.record;
  invariant(content.kind === "ALTA", "an invoice is registered by an ALTA record");
  return qrUrl({ environment, key: content.key, total: content.total });
}
