import { BasicConstraints, Certificate, type ExtensionValueType } from "pkijs";

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

/** Readers of ASN.1 values that pkijs has parsed: it types their members as unknown. */

interface Block {
  readonly idBlock?: {
    readonly isConstructed?: boolean;
    readonly tagClass?: number;
    readonly tagNumber?: number;
  };
  readonly valueBlock?: { readonly value?: unknown; readonly valueHexView?: Uint8Array };
  readonly valueBeforeDecodeView?: Uint8Array;
}

function blockOf(value: unknown): Block {
  return (value ?? {}) as Block;
}

/**
 * The members of a constructed value. The library also parses the content of primitive octet strings; those
 * results do not count.
 */
function insideOf(value: unknown): readonly unknown[] | undefined {
  const { idBlock, valueBlock } = blockOf(value);
  return idBlock?.isConstructed && Array.isArray(valueBlock?.value) ? valueBlock.value : undefined;
}

export function partsOf(value: unknown): readonly unknown[] {
  return insideOf(value) ?? [];
}

/** The bytes of all primitive values inside, in order. */
export function valuesOf(value: unknown): Uint8Array[] {
  const inside = insideOf(value);
  if (inside) return inside.flatMap(valuesOf);
  const bytes = blockOf(value).valueBlock?.valueHexView;
  return bytes === undefined ? [] : [bytes];
}

/** The bytes of an octet string, whether primitive or constructed from parts. */
export function bytesIn(value: unknown): Uint8Array {
  const parts = valuesOf(value);
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const TAGS = { sequence: { tagClass: 1, tagNumber: 16 }, context0: { tagClass: 3, tagNumber: 0 } } as const;

export function isTagged(value: unknown, tag: keyof typeof TAGS): boolean {
  const { tagClass, tagNumber } = TAGS[tag];
  const { idBlock } = blockOf(value);
  return idBlock?.tagClass === tagClass && idBlock.tagNumber === tagNumber;
}

/** The encoded bytes of a value as they were read. */
export function encodedOf(value: unknown): Uint8Array {
  return (blockOf(value).valueBeforeDecodeView ?? new Uint8Array()).slice();
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
