import { BasicConstraints, Certificate, type ExtensionValueType } from "pkijs";
import { valuesOf } from "./asn1.ts";

/** A certificate with the bytes that it came in: hashes are over these, and a second encoding may differ. */
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

/** RFC 5280, 4.2: whoever does not know a critical extension refuses the certificate. */
const KNOWN_CRITICAL: readonly string[] = [BASIC_CONSTRAINTS, KEY_USAGE, CERTIFICATE_POLICIES, QC_STATEMENTS];

/** No extension twice, no critical one that is unknown here, and one algorithm inside and outside. */
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

/** The bits of RFC 5280, 4.2.1.3, in the first byte. */
const USAGES = { digitalSignature: 0x80, nonRepudiation: 0x40, keyCertSign: 0x04 } as const;

export function hasUsage(certificate: Certificate, usage: keyof typeof USAGES): boolean {
  const [bits = 0] = valuesOf(extensionOf(certificate, KEY_USAGE))[0] ?? [];
  return (bits & USAGES[usage]) !== 0;
}

/** Whether it may issue certificates, with so many others between it and the one at the end. */
export function mayIssue(certificate: Certificate, between: number): boolean {
  const constraints = extensionOf(certificate, BASIC_CONSTRAINTS);
  if (!(constraints instanceof BasicConstraints) || !constraints.cA) return false;
  const most: unknown = constraints.pathLenConstraint;
  const isLongEnough = most === undefined || (typeof most === "number" && between <= most);
  return isLongEnough && hasUsage(certificate, "keyCertSign");
}
