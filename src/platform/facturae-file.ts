import type { ElectronicInvoice } from "../domain/einvoice/electronic-invoice.ts";
import { facturaeXml, XML_DECLARATION } from "../domain/einvoice/facturae/facturae-xml.ts";
import { prepareSignature } from "../domain/einvoice/facturae/signature.ts";
import { thirdPartyOf } from "../domain/einvoice/facturae/third-party.ts";
import { base64Of } from "../domain/shared/base64.ts";
import { type Instant, localTime } from "../domain/shared/instant.ts";
import type { SoftwareConfig } from "../domain/verifactu/software.ts";
import { type FacturaeSigner, facturaeSigner, type SignerFault } from "./facturae-signer.ts";

export interface FacturaeRequest {
  readonly invoiceId: string;
  /** One that `formatRefusals` allows. */
  readonly invoice: ElectronicInvoice;
  /** Renders the PDF that goes into the file; absent for a file without it. */
  readonly pdf?: () => Promise<Uint8Array>;
}

export interface FacturaeFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly signature: "none" | "xades-epes";
}

/** The name under which the file is saved. */
export function facturaeName(fullNumber: string, { signature }: Pick<FacturaeFile, "signature">): string {
  return `${fullNumber}.facturae.${signature === "none" ? "xml" : "xsig"}`;
}

export type MakeFacturae = (request: FacturaeRequest) => Promise<FacturaeFile>;

/** Each invoice has up to two signed files. */
export interface FacturaeName {
  readonly invoiceId: string;
  readonly withPdf: boolean;
}

/** Signed files as they were first given out. */
export interface SignedFacturae {
  read(name: FacturaeName): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** False if another file was kept before. */
  keepFirst(name: FacturaeName, bytes: Uint8Array): Promise<boolean>;
}

export interface FacturaeDeps {
  /** The secret FACTURAE_SIGNER; empty or undefined if files are not signed. */
  readonly signer: string | undefined;
  readonly software: SoftwareConfig;
  readonly kept: SignedFacturae;
  readonly now: () => Instant;
  /** For every file that is not signed, or not kept, as the deployment wants it. */
  readonly alert: (fault: FacturaeFault) => void;
}

export type FacturaeFault = SignerFault | "producer_address" | "not_kept";

/** SigningTime has the offset of the peninsula, whatever the issuer's zone is. */
const ZONE = "Europe/Madrid";

/**
 * A Facturae of one invoice, signed if the deployment has a signer. The first signed file is kept, and every
 * later request gets its bytes, also after the certificate has expired. If the store fails, the file is
 * signed anew: the same invoice with another time of signature.
 */
export function facturaeFiles(deps: FacturaeDeps): MakeFacturae {
  const { kept, now, alert } = deps;
  const openSigner = facturaeSigner(deps.signer, { now, alert });
  return async ({ invoiceId, invoice, pdf }) => {
    const name = { invoiceId, withPdf: pdf !== undefined };
    const earlier = await kept.read(name).catch(() => undefined);
    if (earlier) return { bytes: earlier, signature: "xades-epes" };
    const attached = pdf && base64Of(await pdf());
    const options = attached === undefined ? {} : { pdf: attached };
    const signer = await openSigner();
    const signed = signer && (await signedXml(signer, { invoice, options }, deps));
    if (signed === undefined) return { bytes: bytesOf(facturaeXml(invoice, options)), signature: "none" };
    return { bytes: await firstOf(name, bytesOf(signed), deps), signature: "xades-epes" };
  };
}

interface Content {
  readonly invoice: ElectronicInvoice;
  readonly options: { readonly pdf?: string };
}

/** Undefined if the file would have to name a signer whose address is not known. */
async function signedXml(
  { chain, sign }: FacturaeSigner,
  { invoice, options }: Content,
  { software, now, alert }: FacturaeDeps,
): Promise<string | undefined> {
  const isOwn = chain[0].nif === invoice.issuer.nif;
  const thirdParty = isOwn ? undefined : thirdPartyOf(software);
  if (!isOwn && !thirdParty) {
    alert("producer_address");
    return undefined;
  }
  const { toSign, signedWith } = prepareSignature({
    document: facturaeXml(invoice, { ...options, ...(thirdParty ? { thirdParty } : {}) }),
    signedAt: localTime(now(), ZONE).timestamp,
    chain,
    role: isOwn ? "supplier" : "third party",
  });
  return signedWith(await sign(toSign));
}

/** Two requests may sign at once: both get the file that was kept. */
async function firstOf(name: FacturaeName, bytes: Uint8Array<ArrayBuffer>, { kept, alert }: FacturaeDeps) {
  try {
    if (await kept.keepFirst(name, bytes)) return bytes;
    return (await kept.read(name)) ?? bytes;
  } catch {
    alert("not_kept");
    return bytes;
  }
}

function bytesOf(root: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(XML_DECLARATION + root));
}
