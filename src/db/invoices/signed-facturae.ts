import type { FacturaeName, SignedFacturae } from "../../platform/facturae-file.ts";

interface SignedFacturaeStore extends SignedFacturae {
  /** Of invoices that are retired. */
  erase(invoiceIds: readonly string[]): Promise<void>;
}

/** In R2, in the bucket of the evidence. */
export function signedFacturaeStore(
  bucket: R2Bucket,
  withDeadline: <T>(call: Promise<T>) => Promise<T>,
): SignedFacturaeStore {
  return {
    async read(name) {
      const found = await withDeadline(bucket.get(keyOf(name)));
      return found ? new Uint8Array(await withDeadline(found.arrayBuffer())) : undefined;
    },
    async keepFirst(name, bytes) {
      const httpMetadata = { contentType: "application/xml; charset=utf-8" };
      const onlyIf = new Headers({ "If-None-Match": "*" });
      return (await withDeadline(bucket.put(keyOf(name), bytes, { onlyIf, httpMetadata }))) !== null;
    },
    async erase(invoiceIds) {
      const names = invoiceIds.flatMap((invoiceId) =>
        [false, true].map((withPdf) => ({ invoiceId, withPdf })),
      );
      await withDeadline(bucket.delete(names.map(keyOf)));
    },
  };
}

/** The id of an invoice is random and unique among all accounts. */
function keyOf({ invoiceId, withPdf }: FacturaeName): string {
  return `facturae/${invoiceId}/${withPdf ? "with-pdf" : "invoice"}.xsig`;
}
