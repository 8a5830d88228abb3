import * as z from "zod";
import { certificateFrom, type SigningCertificate } from "../domain/einvoice/facturae/certificate.ts";
import { bytesOf } from "../domain/shared/base64.ts";
import type { Instant } from "../domain/shared/instant.ts";

/** The key and the certificates that sign electronic invoices. */
export interface FacturaeSigner {
  /** The signer's own certificate comes first. */
  readonly chain: readonly [SigningCertificate, ...SigningCertificate[]];
  /** RSASSA-PKCS1-v1_5 with SHA-256 over the UTF-8 bytes of the text. */
  readonly sign: (text: string) => Promise<Uint8Array>;
}

export type SignerFault = "malformed" | "out_of_date";

export interface SignerDeps {
  readonly now: () => Instant;
  /** Called for every file that cannot be signed although a signer is configured. */
  readonly alert: (fault: SignerFault) => void;
}

/** Undefined if files are not signed: no signer is configured, or it cannot be used. */
export type OpenSigner = () => Promise<FacturaeSigner | undefined>;

const secretShape = z.object({ key: z.string(), chain: z.string() });

const RSA = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" } as const;

/** The signer of the secret FACTURAE_SIGNER: `{ "key": <PKCS#8 PEM, RSA>, "chain": <PEM> }`. */
export function facturaeSigner(secret: string | undefined, { now, alert }: SignerDeps): OpenSigner {
  if (secret === undefined || secret === "") return async () => undefined;
  let read: Promise<FacturaeSigner | undefined> | undefined;
  return async () => {
    read ??= signerIn(secret).catch(() => undefined);
    const signer = await read;
    const at = now();
    const isInTime = signer?.chain.every(({ notBefore, notAfter }) => notBefore <= at && at <= notAfter);
    if (signer && isInTime) return signer;
    alert(signer ? "out_of_date" : "malformed");
    return undefined;
  };
}

async function signerIn(secret: string): Promise<FacturaeSigner> {
  const { key: keyPem, chain: chainPem } = secretShape.parse(JSON.parse(secret));
  const [keyBytes] = pemBlocks(keyPem, "PRIVATE KEY");
  const [own, ...others] = pemBlocks(chainPem, "CERTIFICATE").map(certificateFrom);
  if (!keyBytes || !own) throw new Error("a key or a certificate is missing");
  const key = await crypto.subtle.importKey("pkcs8", keyBytes, RSA, false, ["sign"]);
  const sign = async (text: string) => {
    return new Uint8Array(await crypto.subtle.sign(RSA.name, key, new TextEncoder().encode(text)));
  };
  if (!(await belongs(sign, own))) throw new Error("the key is not that of the first certificate");
  return { chain: [own, ...others], sign };
}

/** A signature by another key would be refused by every reader of the file. */
async function belongs(sign: FacturaeSigner["sign"], { publicKey }: SigningCertificate): Promise<boolean> {
  const key = await crypto.subtle.importKey("spki", publicKey, RSA, false, ["verify"]);
  const text = "Cuadre";
  return crypto.subtle.verify(RSA.name, key, (await sign(text)).slice(), new TextEncoder().encode(text));
}

function pemBlocks(pem: string, label: string): Uint8Array<ArrayBuffer>[] {
  const block = new RegExp(`-----BEGIN ${label}-----([A-Za-z0-9+/=\\s]+)-----END ${label}-----`, "g");
  return [...pem.matchAll(block)].map(([, body = ""]) => bytesOf(body));
}
