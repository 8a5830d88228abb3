import { BasicConstraints, Certificate, type ExtensionValueType } from "pkijs";
import { valuesOf } from "./asn1.ts";

/** A certificate with its received bytes: hashes cover them, and encoding it again may give other bytes. */
export interface ReadCertificate {
  readonly der: Uint8Array;
  readonly certificate: Certificate;
}

export function readCertificate(der: Uint8Array): ReadCertificate {
  return { der, certificate: Certificate.fromBER(der) };
}

export function isInTime({ notBefore, notAfter }: Certificate, now: number): boolean {
  return notBefore.value.getTime() <= now && now <= notAfter.value.getTime();
}

const BASIC_CONSTRAINTS = "2.5.29.19";
const KEY_USAGE = "2.5.29.15";
const CERTIFICATE_POLICIES = "2.5.29.32";
export const QC_STATEMENTS = "1.3.6.1.5.5.7.1.3";

/** RFC 5280, 4.2: a certificate with an unknown critical extension must be refused. */
const KNOWN_CRITICAL: readonly string[] = [BASIC_CONSTRAINTS, KEY_USAGE, CERTIFICATE_POLICIES, QC_STATEMENTS];

/** No repeated extension, no unknown critical one, and the same algorithm inside and outside. */
export function isWellMade({ extensions = [], signature, signatureAlgorithm }: Certificate): boolean {
  const ids = extensions.map(({ extnID }) => extnID);
  return (
    new Set(ids).size === ids.length &&
    extensions.every(({ critical, extnID }) => !critical || KNOWN_CRITICAL.includes(extnID)) &&
    signature.algorithmId === signatureAlgorithm.algorithmId
  );
}

export function extensionOf({ extensions = [] }: Certificate, id: string): ExtensionValueType | undefined {
  return extensions.find(({ extnID }) => extnID === id)?.parsedValue;
}

/** RFC 5280, 4.2.1.3: bits of the first byte. */
const USAGES = { digitalSignature: 0x80, nonRepudiation: 0x40, keyCertSign: 0x04 } as const;

export function hasUsage(certificate: Certificate, usage: keyof typeof USAGES): boolean {
  const [bits = 0] = valuesOf(extensionOf(certificate, KEY_USAGE))[0] ?? [];
  return (bits & USAGES[usage]) !== 0;
}

/** The certificate may issue others, with this number of certificates between it and the end certificate. */
export function mayIssue(certificate: Certificate, between: number): boolean {
  const constraints = extensionOf(certificate, BASIC_CONSTRAINTS);
  if (!(constraints instanceof BasicConstraints) || !constraints.cA) return false;
  const most: unknown = constraints.pathLenConstraint;
  const isLongEnough = most === undefined || (typeof most === "number" && between <= most);
  return isLongEnough && hasUsage(certificate, "keyCertSign");
}
