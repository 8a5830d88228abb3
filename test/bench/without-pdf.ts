/** Stands in the place of `src/viewer/pdf/invoice-pdf.ts`, so that a bundle can be weighed without it. */
export function invoicePdf(): never {
  throw new Error("this bundle makes no PDF");
}
