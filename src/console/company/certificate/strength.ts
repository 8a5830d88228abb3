import {
  type AlgorithmIdentifier,
  type Certificate,
  type PublicKeyInfo,
  RSAPublicKey,
  RSASSAPSSParams,
  type SignerInfo,
} from "pkijs";
import { PROOF } from "../../../domain/limits.ts";

const RSA = "1.2.840.113549.1.1.1";
const RSA_PSS = "1.2.840.113549.1.1.10";
const EC = "1.2.840.10045.2.1";

/** SHA-256, SHA-384 and SHA-512, never SHA-1. */
const HASHES: readonly string[] = [
  "2.16.840.1.101.3.4.2.1",
  "2.16.840.1.101.3.4.2.2",
  "2.16.840.1.101.3.4.2.3",
];
/** RSA and ECDSA with one of these hashes. */
const SIGNATURES: readonly string[] = [
  ...["1.2.840.113549.1.1.11", "1.2.840.113549.1.1.12", "1.2.840.113549.1.1.13"],
  ...["1.2.840.10045.4.3.2", "1.2.840.10045.4.3.3", "1.2.840.10045.4.3.4"],
];
/** P-256, P-384 and P-521. */
const CURVES: readonly string[] = ["1.2.840.10045.3.1.7", "1.3.132.0.34", "1.3.132.0.35"];

export function isStrongSignature({ algorithmId, algorithmParams }: AlgorithmIdentifier): boolean {
  if (algorithmId !== RSA_PSS) return SIGNATURES.includes(algorithmId);
  try {
    // Absent parameters mean SHA-1.
    const { hashAlgorithm } = new RSASSAPSSParams({ schema: algorithmParams });
    return HASHES.includes(hashAlgorithm.algorithmId);
  } catch {
    return false;
  }
}

/** A signer may name plain RSA as its algorithm; the digest algorithm then determines the hash. */
export function isStrongSigner({ digestAlgorithm, signatureAlgorithm }: SignerInfo): boolean {
  const isStrong = signatureAlgorithm.algorithmId === RSA || isStrongSignature(signatureAlgorithm);
  return isStrong && HASHES.includes(digestAlgorithm.algorithmId);
}

export function isStrongKey({ algorithm, subjectPublicKey }: PublicKeyInfo): boolean {
  try {
    if (algorithm.algorithmId === EC) return CURVES.includes(algorithm.algorithmParams.valueBlock.toString());
    if (algorithm.algorithmId !== RSA) return false;
    const bits = bitsOf(RSAPublicKey.fromBER(subjectPublicKey.valueBlock.valueHexView));
    return PROOF.rsaBits.fewest <= bits && bits <= PROOF.rsaBits.most;
  } catch {
    return false;
  }
}

/** Checks the certificate's key and the signature on it. */
export function isStrongCertificate({ signatureAlgorithm, subjectPublicKeyInfo }: Certificate): boolean {
  return isStrongSignature(signatureAlgorithm) && isStrongKey(subjectPublicKeyInfo);
}

function bitsOf({ modulus }: RSAPublicKey): number {
  const bytes = modulus.valueBlock.valueHexView;
  const first = bytes.findIndex((byte) => byte !== 0);
  if (first < 0) return 0;
  return (bytes.length - first) * 8 - (Math.clz32(bytes[first] ?? 0) - 24);
}
