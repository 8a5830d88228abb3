import type { Instant } from "../../shared/instant.ts";
import { nifFrom } from "../../shared/tax-identifier.ts";

/** The parts of an X.509 certificate (RFC 5280) that a signature names or needs. */
export interface SigningCertificate {
  /** The certificate as it was issued. */
  readonly der: Uint8Array<ArrayBuffer>;
  /** The name of its issuer in the form of RFC 4514. */
  readonly issuer: string;
  /** In decimal digits. */
  readonly serial: string;
  readonly notBefore: Instant;
  readonly notAfter: Instant;
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Uint8Array<ArrayBuffer>;
  /** The entity's NIF if the certificate names an entity, else the person's. */
  readonly nif?: string;
}

/** Reads the DER of a certificate. Throws if it is none. */
export function certificateFrom(der: Uint8Array<ArrayBuffer>): SigningCertificate {
  const [certificate] = valuesIn(der);
  const [signed] = valuesIn(contentOf(certificate, SEQUENCE));
  const members = valuesIn(contentOf(signed, SEQUENCE));
  const [serial, , issuer, validity, subject, key] = members[0]?.tag === VERSION ? members.slice(1) : members;
  const [notBefore, notAfter] = valuesIn(contentOf(validity, SEQUENCE));
  const nif = nifIn(attributesOf(subject).flat());
  contentOf(key, SEQUENCE);
  return {
    der,
    issuer: nameText(attributesOf(issuer)),
    serial: integerText(contentOf(serial, INTEGER)),
    notBefore: instantIn(notBefore),
    notAfter: instantIn(notAfter),
    publicKey: (key?.encoded ?? new Uint8Array()).slice(),
    ...(nif === undefined ? {} : { nif }),
  };
}

interface DerValue {
  readonly tag: number;
  readonly content: Uint8Array;
  /** Tag, length and content. */
  readonly encoded: Uint8Array;
}

const INTEGER = 0x02;
const OBJECT_IDENTIFIER = 0x06;
const UTC_TIME = 0x17;
const SEQUENCE = 0x30;
const SET = 0x31;
const VERSION = 0xa0;

/** The values that follow each other in the bytes. */
function valuesIn(bytes: Uint8Array): DerValue[] {
  const values: DerValue[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { start, end } = extentOf(bytes, at);
    const value = { content: bytes.subarray(start, end), encoded: bytes.subarray(at, end) };
    values.push({ tag: bytes[at] ?? 0, ...value });
    at = end;
  }
  return values;
}

/** Above 0x80 the byte says how many bytes of the length follow. */
function extentOf(bytes: Uint8Array, at: number): { readonly start: number; readonly end: number } {
  const first = bytes[at + 1] ?? 0;
  const lengthBytes = first < 0x80 ? 0 : first - 0x80;
  const start = at + 2 + lengthBytes;
  const length =
    first < 0x80 ? first : bytes.subarray(at + 2, start).reduce((sum, byte) => sum * 256 + byte, 0);
  if (start + length > bytes.length) throw new Error("a value of the certificate is cut");
  return { start, end: start + length };
}

function contentOf(value: DerValue | undefined, tag: number): Uint8Array {
  if (value?.tag !== tag) throw new Error("no certificate");
  return value.content;
}

/** Two's complement, as DER has it. */
function integerText(content: Uint8Array): string {
  const unsigned = BigInt(`0x${hexOf(content) || "0"}`);
  return BigInt.asIntN(content.length * 8, unsigned).toString();
}

function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** RFC 5280, 4.1.2.5.1: a year of two digits is of 1950 to 2049. */
function instantIn(value: DerValue | undefined): Instant {
  const text = textOf(value?.content ?? new Uint8Array(), LATIN);
  const full = value?.tag === UTC_TIME ? `${text < "50" ? "20" : "19"}${text}` : text;
  const iso = full.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z");
  const instant = Date.parse(iso);
  if (Number.isNaN(instant)) throw new Error("a certificate without validity");
  return instant;
}

interface NameAttribute {
  readonly type: string;
  readonly value: DerValue;
}

/** The relative names of a distinguished name, each with one attribute or more. */
function attributesOf(name: DerValue | undefined): NameAttribute[][] {
  return valuesIn(contentOf(name, SEQUENCE)).map((relative) =>
    valuesIn(contentOf(relative, SET)).map((attribute) => {
      const [type, value] = valuesIn(contentOf(attribute, SEQUENCE));
      if (!value) throw new Error("a name without value");
      return { type: identifierText(contentOf(type, OBJECT_IDENTIFIER)), value };
    }),
  );
}

/** Base 128, the first number joins two. */
function identifierText(content: Uint8Array): string {
  const numbers: number[] = [];
  let current = 0;
  for (const byte of content) {
    current = current * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      numbers.push(current);
      current = 0;
    }
  }
  const [joined = 0, ...rest] = numbers;
  const first = Math.min(2, Math.floor(joined / 40));
  return [first, joined - first * 40, ...rest].join(".");
}

const ORGANISATION_IDENTIFIER = "2.5.4.97";
const SERIAL_NUMBER = "2.5.4.5";

/** RFC 4514, section 3: the types with a name of their own. */
const KEYWORDS: Readonly<Record<string, string>> = {
  "2.5.4.3": "CN",
  "2.5.4.7": "L",
  "2.5.4.8": "ST",
  "2.5.4.10": "O",
  "2.5.4.11": "OU",
  "2.5.4.6": "C",
  "2.5.4.9": "STREET",
  "0.9.2342.19200300.100.1.25": "DC",
  "0.9.2342.19200300.100.1.1": "UID",
};

/** RFC 4514, 2.1: the last relative name comes first. */
function nameText(name: readonly (readonly NameAttribute[])[]): string {
  return name
    .map((relative) => relative.map(attributeText).join("+"))
    .reverse()
    .join(",");
}

/** RFC 4514, 2.4: without keyword, or with a value that is no text, the encoded value is hexadecimal. */
function attributeText({ type, value }: NameAttribute): string {
  const keyword = KEYWORDS[type];
  const text = stringOf(value);
  if (keyword === undefined || text === undefined) return `${keyword ?? type}=#${hexOf(value.encoded)}`;
  return `${keyword}=${escaped(text)}`;
}

function escaped(text: string): string {
  return text
    .replace(/["+,;<>\\]/g, "\\$&")
    .replaceAll("\0", "\\00")
    .replace(/^[ #]|(?<=.) $/gs, "\\$&");
}

const UTF_8 = "utf-8";
const UTF_16 = "utf-16be";
const LATIN = "latin1";
/** Strings by tag: UTF8String, NumericString, PrintableString, TeletexString, IA5String, BMPString. */
const ENCODINGS: Readonly<Record<number, typeof UTF_8 | typeof UTF_16 | typeof LATIN>> = {
  12: UTF_8,
  18: LATIN,
  19: LATIN,
  20: LATIN,
  22: LATIN,
  30: UTF_16,
};

function stringOf({ tag, content }: DerValue): string | undefined {
  const encoding = ENCODINGS[tag];
  return encoding === undefined ? undefined : textOf(content, encoding);
}

function textOf(content: Uint8Array, encoding: typeof UTF_8 | typeof UTF_16 | typeof LATIN): string {
  if (encoding === UTF_8) return new TextDecoder(UTF_8, { fatal: true, ignoreBOM: true }).decode(content);
  const size = encoding === UTF_16 ? 2 : 1;
  const units = Array.from({ length: content.length / size }, (_, at) =>
    content.subarray(at * size, at * size + size).reduce((unit, byte) => unit * 256 + byte, 0),
  );
  return String.fromCharCode(...units);
}

/** EN 319 412-1, 5.1.3 and 5.1.4: VATES- or IDCES- and the NIF; older certificates have the bare NIF. */
function nifIn(attributes: readonly NameAttribute[]): string | undefined {
  const read = (wanted: string, prefix: RegExp) => {
    const found = attributes.find(({ type }) => type === wanted);
    return nifFrom((found && stringOf(found.value))?.replace(prefix, "") ?? "");
  };
  return read(ORGANISATION_IDENTIFIER, /^VATES-/) ?? read(SERIAL_NUMBER, /^IDCES-/);
}
