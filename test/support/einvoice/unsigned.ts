import type { SoftwareConfig } from "../../../src/domain/verifactu/software.ts";
import { facturaeFiles, type MakeFacturae } from "../../../src/platform/facturae-file.ts";

/** Facturae of a deployment without a signer, which keeps no file. */
export function unsignedFacturae(software: SoftwareConfig, now: () => number): MakeFacturae {
  const kept = { read: async () => undefined, keepFirst: async () => true };
  return facturaeFiles({ signer: undefined, software, kept, now, alert: () => {} });
}
