/** Replaces `src/viewer/pdf/invoice-pdf.ts`, so that the bundle without it can be measured. */
export function invoicePdf(): never {
  throw new Error("this bundle makes no PDF");
}
