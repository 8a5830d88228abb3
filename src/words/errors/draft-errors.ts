import type { CopyRefusal } from "../../domain/invoice/draft-of-invoice.ts";
import { conflict, type ErrorRow } from "../rows.ts";

/** The form for invoices by hand cannot say an issued invoice. */
const COPY_ERRORS = {
  copy_of_correction: conflict({
    en: "A corrective or substituting invoice is about another one: it cannot be duplicated.",
    es: "Una rectificativa, o una factura que sustituye a otra, es de esa factura: no se puede duplicar.",
  }),
  copy_of_kind: conflict({
    en: "It is a kind of invoice that the form for invoices by hand does not have.",
    es: "Es un tipo de factura que el formulario de facturas a mano no tiene.",
  }),
  copy_of_disbursements: conflict({
    en: "It has disbursements, which the form for invoices by hand does not have.",
    es: "Lleva suplidos, que el formulario de facturas a mano no tiene.",
  }),
  copy_of_many_lines: conflict({
    en: "It has more than 200 lines, the most of an invoice by hand.",
    es: "Tiene más de 200 líneas, el máximo de una factura a mano.",
  }),
  copy_of_tax: conflict({
    en: "It has a tax that is not that of the company’s territory.",
    es: "Lleva un impuesto que no es el del territorio de la empresa.",
  }),
  copy_of_regime: conflict({
    en: "It has a special scheme or an exemption that the form for invoices by hand does not have.",
    es: "Lleva un régimen especial o una exención que el formulario de facturas a mano no tiene.",
  }),
} as const satisfies Record<CopyRefusal, ErrorRow>;

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
  ...COPY_ERRORS,
} as const satisfies Record<string, ErrorRow>;
