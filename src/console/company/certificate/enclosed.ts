import { ContentInfo, SignedData } from "pkijs";
import { PROOF } from "../../../domain/limits.ts";
import { encodedOf, equalBytes, isTagged, partsOf } from "./asn1.ts";
import { type ReadCertificate, readCertificate } from "./x509.ts";

/** A signature with one signer and the certificates sent with it. */
export interface Enclosed {
  readonly signed: SignedData;
  readonly signer: ReadCertificate;
  readonly others: readonly ReadCertificate[];
}

const SIGNED_DATA = "1.2.840.113549.1.7.2";

/** Undefined unless the signer is unambiguous: exactly one signer, and no certificate twice. */
export function enclosedIn(signature: Uint8Array): Enclosed | undefined {
  try {
    const info = ContentInfo.fromBER(signature);
    if (info.contentType !== SIGNED_DATA) return undefined;
    const ders = certificatesIn(info.content);
    // The limit is checked before any certificate is parsed.
    if (ders.length > PROOF.mostCertificates) return undefined;
    const certificates = ders.map(readCertificate);
    const signed = new SignedData({ schema: info.content });
    const signer = hasDoubles(certificates) ? undefined : signerOf(signed, certificates);
    return signer && { signed, signer, others: certificates.filter((one) => one !== signer) };
  } catch {
    return undefined;
  }
}

/** RFC 5652, 5.1: certificates have tag [0] after the content; an X.509 certificate is a sequence. */
function certificatesIn(content: unknown): readonly Uint8Array[] {
  const set = partsOf(content).filter((one) => isTagged(one, "context0"));
  return set
    .flatMap(partsOf)
    .filter((one) => isTagged(one, "sequence"))
    .map(encodedOf);
}

/** Two certificates with the same bytes, or with the same issuer and serial number. */
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

/** The only signer's certificate. With several signers it is unclear which one proves the NIF: undefined. */
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
