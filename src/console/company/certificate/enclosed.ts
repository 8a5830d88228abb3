import { ContentInfo, SignedData } from "pkijs";
import { PROOF } from "../../../domain/limits.ts";
import { equalBytes, type ReadCertificate, readCertificate } from "./x509.ts";

/** A signature of one signer, with the certificates that came in it. */
export interface Enclosed {
  readonly signed: SignedData;
  readonly signer: ReadCertificate;
  readonly others: readonly ReadCertificate[];
}

const SIGNED_DATA = "1.2.840.113549.1.7.2";

/** Undefined unless it says without a doubt who signed: one signer, and no certificate twice. */
export function enclosedIn(signature: Uint8Array): Enclosed | undefined {
  try {
    const info = ContentInfo.fromBER(signature);
    if (info.contentType !== SIGNED_DATA) return undefined;
    const ders = certificatesIn(info.content);
    // Counted before any is read.
    if (ders.length > PROOF.mostCertificates) return undefined;
    const certificates = ders.map(readCertificate);
    const signed = new SignedData({ schema: info.content });
    const signer = hasDoubles(certificates) ? undefined : signerOf(signed, certificates);
    return signer && { signed, signer, others: certificates.filter((one) => one !== signer) };
  } catch {
    return undefined;
  }
}

/** Members of a parsed ASN.1 value that are read here; the library types them as unknown. */
interface Block {
  readonly idBlock: { readonly tagClass: number; readonly tagNumber: number };
  readonly valueBlock: { readonly value?: unknown };
  readonly valueBeforeDecodeView: Uint8Array;
}

const CONTEXT = 3;
const UNIVERSAL = 1;
const SEQUENCE = 16;

/** RFC 5652, 5.1: tagged [0] beside the content, each a sequence; other kinds carry tags of their own. */
function certificatesIn(content: Block): readonly Uint8Array[] {
  const set = blocksIn(content).filter((one) => isTagged(one, CONTEXT, 0));
  return set
    .flatMap(blocksIn)
    .filter((one) => isTagged(one, UNIVERSAL, SEQUENCE))
    .map(({ valueBeforeDecodeView }) => valueBeforeDecodeView.slice());
}

function blocksIn({ valueBlock }: Block): readonly Block[] {
  return Array.isArray(valueBlock.value) ? valueBlock.value : [];
}

function isTagged({ idBlock }: Block, tagClass: number, tagNumber: number): boolean {
  return idBlock.tagClass === tagClass && idBlock.tagNumber === tagNumber;
}

/** The same bytes, or one issuer's number for two of them. */
function hasDoubles(certificates: readonly ReadCertificate[]): boolean {
  return certificates.some((one, index) =>
    certificates.slice(0, index).some((other) => {
      const { issuer, serialNumber } = other.certificate;
      const isOfNumber =
        one.certificate.serialNumber.isEqual(serialNumber) && one.certificate.issuer.isEqual(issuer);
      return isOfNumber || equalBytes(one.der, other.der);
    }),
  );
}

/** The certificate of the only signer. With several nobody knows which of them proves the NIF: undefined. */
function signerOf(
  { signerInfos }: SignedData,
  certificates: readonly ReadCertificate[],
): ReadCertificate | undefined {
  const [signer, ...others] = signerInfos;
  if (!signer || others.length > 0) return undefined;
  const { issuer, serialNumber } = signer.sid ?? {};
  if (!issuer || !serialNumber) return undefined;
  return certificates.find(
    ({ certificate }) => certificate.serialNumber.isEqual(serialNumber) && certificate.issuer.isEqual(issuer),
  );
}
