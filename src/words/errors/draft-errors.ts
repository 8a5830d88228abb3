import { conflict, type ErrorRow } from "../rows.ts";

/** Refusals of what people do to an invoice that they are writing. */
export const DRAFT_ERRORS = {
  draft_changed: conflict({
    en: "{person} has changed this draft meanwhile; reload it and look at it before you go on.",
    es: "{person} ha cambiado este borrador mientras tanto; recárgalo y revísalo antes de seguir.",
  }),
  draft_issued: conflict({
    en: "This draft was issued as {number}; write another invoice, or correct that one.",
    es: "Este borrador ya se emitió como {number}; haz otra factura o rectifica esa.",
  }),
} as const satisfies Record<string, ErrorRow>;
