import type { InvoiceKey } from "./record.ts";

export type AeatEnvironment = "test" | "production";

/** Not the hosts of the web service: these are the ones of the public verification page. */
const VERIFICATION_PAGE: Readonly<Record<AeatEnvironment, string>> = {
  test: "https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR",
  production: "https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR",
};

/**
 * Art. 21 Orden HAC/1177/2024: the text of the QR, four parameters in this order. `total` is the literal of
 * the record, because the AEAT searches by it without any tolerance.
 */
export function qrUrl(invoice: {
  readonly environment: AeatEnvironment;
  readonly key: InvoiceKey;
  readonly total: string;
}): string {
  const { environment, key, total } = invoice;
  const parameters = [
    ["nif", key.issuerNif],
    ["numserie", key.number],
    ["fecha", key.date],
    ["importe", total],
  ] as const;
  // The AEAT decodes as form data, where a raw "+" is a space: encodeURIComponent writes it as %2B.
  const query = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  return `${VERIFICATION_PAGE[environment]}?${query}`;
}
