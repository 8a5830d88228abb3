import type { DraftContent, DraftLine } from "../../../src/domain/invoice/draft.ts";

const LINE: DraftLine = {
  ...{ description: "Diseño de vajilla a medida", quantity: "1", price_unit: "640", discount_rate: "" },
  ...{ qualification: "S1", tax_rate: "21", equivalence_surcharge_rate: "" },
  ...{ regime: "", taxable_margin: "" },
};

/** The draft of the mock-up: 761.50 at 21 %, 15 % withheld, 921.42 in all. */
export const A_DRAFT: DraftContent = {
  kind: "full",
  recipient: {
    ...{ company: "Estudio Nácar SL", vat_number: "B12345674", id_type: "", country: "ES" },
    ...{ address1: "Calle de Cirilo Amorós 14", postcode: "46004", city: "Valencia", email: "" },
  },
  delivery: { country: "" },
  ...{ operation_date: "", prices_include_tax: false, currency: "EUR" },
  ...{ exchange_rate: "", exchange_rate_date: "" },
  lines: [
    LINE,
    { ...LINE, description: "Prueba de esmaltes", quantity: "3", price_unit: "45", discount_rate: "10" },
  ],
  withholding: { rate: "15" },
  ...{ due_date: "", payment: { means: "", iban: "" }, description: "" },
};

/** Of one line, the first of the draft, changed. */
export function aDraftLine(change: Partial<DraftLine> = {}): DraftLine {
  return { ...LINE, ...change };
}
