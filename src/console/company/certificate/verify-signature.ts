import { type Certificate, ContentInfo, type QCStatement, QCStatements, SignedData } from "pkijs";
import { type Refusal, refuse } from "../../../domain/invoice/refusal.ts";
import { PROOF } from "../../../domain/limits.ts";
import type { PhraseCode } from "../../../domain/shared/fact.ts";
import { ok, type Result } from "../../../domain/shared/result.ts";
import { nifFrom } from "../../../domain/shared/tax-identifier.ts";
import type { SignedBy, VerifySignature } from "../prove-company.ts";
import { type AskStatus, isRevoked } from "./revocation.ts";
import { isStrongCertificate, isStrongKey, isStrongSigner } from "./strength.ts";
import {
  bytesIn,
  encodedOf,
  equalBytes,
  extensionOf,
  hasUsage,
  isInTime,
  isTagged,
  isWellMade,
  mayIssue,
  partsOf,
  QC_STATEMENTS,
  type ReadCertificate,
  readCertificate,
  valuesOf,
} from "./x509.ts";

interface SignatureDeps {
  /** Trusted issuers of qualified certificates, as DER. */
  readonly anchors: readonly Uint8Array[];
  /** Queries the issuer's OCSP responder; undefined if no response arrives in time. */
  readonly askStatus: AskStatus;
}

type Reason = Extract<PhraseCode, `signature_${string}`>;
type Refused = Result<never, Refusal<"signature_invalid">>;

const SIGNING_CERTIFICATE_V2 = "1.2.840.113549.1.9.16.2.47";
const ORGANISATION_IDENTIFIER = "2.5.4.97";
const SERIAL_NUMBER = "2.5.4.5";
const HASHES: Readonly<Record<number, string>> = { 32: "SHA-256", 48: "SHA-384", 64: "SHA-512" };

/**
 * Verifies a CAdES signature over a text and the qualified certificate that made it. The certificate must
 * chain to an anchor, be valid and qualified, not be revoked, and name a NIF. Every doubt refuses.
 */
export function signatureVerifier(deps: SignatureDeps): VerifySignature {
  return async (signature, text, now) => {
    const enclosed = enclosedIn(signature);
    if (!enclosed) return no("signature_unreadable");
    const content = new TextEncoder().encode(text);
    if (!isOver(enclosed, content)) return no("signature_of_other_text");
    const { signer, others } = enclosed;
    if (!isStrong(enclosed)) return no("signature_weak");
    if (!(await isSigned(enclosed, content))) return no("signature_broken");
    if (!isInTime(signer.certificate, now)) return no("signature_out_of_time");
    const anchors = deps.anchors.map(readCertificate);
    const [, issuer] = (await pathToAnchor([signer], { others, anchors, now })) ?? [];
    if (!issuer) return no("signature_untrusted");
    if (!isQualified(signer.certificate)) return no("signature_unqualified");
    const nif = nifOf(signer.certificate);
    if (nif === undefined) return no("signature_without_nif");
    const query = { certificate: signer.certificate, issuer: issuer.certificate, now };
    const revoked = await isRevoked(query, deps.askStatus);
    if (revoked === undefined) return no("signature_revocation_unknown");
    if (revoked) return no("signature_revoked");
    return ok(await signedBy(signer, issuer, nif));
  };
}

function no(reason: Reason): Refused {
  const phrase = { phrase: reason } as { readonly phrase: Exclude<Reason, "signature_of_another"> };
  return refuse("signature_invalid", { reason: phrase });
}

/** An enclosed text must equal ours byte for byte; a detached signature is verified against ours. */
function isOver({ signed }: Enclosed, content: Uint8Array): boolean {
  const { eContent } = signed.encapContentInfo;
  return eContent === undefined || equalBytes(bytesIn(eContent), content);
}

function isStrong({ signed, signer }: Enclosed): boolean {
  return signed.signerInfos.every(isStrongSigner) && isStrongCertificate(signer.certificate);
}

/** The signature must also name the certificate by hash: another certificate may have the same key. */
async function isSigned({ signed, signer }: Enclosed, content: Uint8Array): Promise<boolean> {
  const attributes = signed.signerInfos[0]?.signedAttrs?.attributes ?? [];
  const named = attributes.find(({ type }) => type === SIGNING_CERTIFICATE_V2);
  const hash = named && valuesOf(named.values[0]).find((bytes) => HASHES[bytes.length] !== undefined);
  const algorithm = hash && HASHES[hash.length];
  if (!hash || !algorithm) return false;
  const digest = await crypto.subtle.digest(algorithm, signer.der.slice());
  if (!equalBytes(new Uint8Array(digest), hash)) return false;
  try {
    // The library searches for the signer again; this list leaves it one candidate.
    signed.certificates = [signer.certificate];
    return await signed.verify({ signer: 0, data: content.slice().buffer, checkChain: false });
  } catch {
    return false;
  }
}

/** The entity's NIF if the certificate names an entity, else the person's. */
function nifOf({ subject }: Certificate): string | undefined {
  const textOf = (type: string) => {
    const stated: unknown = subject.typesAndValues.find((one) => one.type === type)?.value.valueBlock.value;
    return typeof stated === "string" ? stated : "";
  };
  const [, entity] = /^VATES-(.+)$/.exec(textOf(ORGANISATION_IDENTIFIER)) ?? [];
  const [, person] = /^IDCES-(.+)$/.exec(textOf(SERIAL_NUMBER)) ?? [];
  const stated = entity ?? person;
  return stated === undefined ? undefined : nifFrom(stated);
}

async function signedBy(signer: ReadCertificate, issuer: ReadCertificate, nif: string): Promise<SignedBy> {
  const hashOf = async ({ der }: ReadCertificate) => {
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", der.slice()));
    return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  };
  return { nif, facts: { certificate: await hashOf(signer), issuer: await hashOf(issuer) } };
}

interface PathGiven {
  /** Certificates sent with the signature; one counts only if the path verifies its signature. */
  readonly others: readonly ReadCertificate[];
  readonly anchors: readonly ReadCertificate[];
  readonly now: number;
}

type Path = readonly [signer: ReadCertificate, ...above: ReadCertificate[]];

/**
 * A path from the signer up to an anchor: each certificate is issued and signed by the next one. The search
 * is exhaustive but bounded: foreign certificates can neither lengthen the path nor create a cycle.
 */
async function pathToAnchor(path: Path, given: PathGiven): Promise<Path | undefined> {
  for (const anchor of given.anchors) {
    if (await hasIssued(anchor, path, given.now)) return [...path, anchor];
  }
  // The last place is reserved for an anchor.
  if (path.length + 1 >= PROOF.certificatesInPath) return undefined;
  for (const other of given.others) {
    if (path.includes(other) || !isStrongCertificate(other.certificate)) continue;
    if (!(await hasIssued(other, path, given.now))) continue;
    const found = await pathToAnchor([...path, other], given);
    if (found) return found;
  }
  return undefined;
}

/** The signature is checked last, because it is the most expensive check. */
async function hasIssued(issuer: ReadCertificate, path: Path, now: number): Promise<boolean> {
  const subject = (path.at(-1) ?? path[0]).certificate;
  const { certificate } = issuer;
  const mayHave =
    subject.issuer.isEqual(certificate.subject) &&
    isWellMade(subject) &&
    isWellMade(certificate) &&
    isInTime(certificate, now) &&
    isStrongKey(certificate.subjectPublicKeyInfo) &&
    mayIssue(certificate, path.length - 1);
  return mayHave && (await subject.verify(certificate).catch(() => false));
}

/** EN 319 412-5: issued as a qualified certificate. */
const QC_COMPLIANCE = "0.4.0.1862.1.1";
const QC_TYPE = "0.4.0.1862.1.6";
/** QcType esign and eseal (EN 319 412-5), without web: a website certificate proves a domain, not a NIF. */
const SIGNING_TYPES: readonly string[] = ["0.4.0.1862.1.6.1", "0.4.0.1862.1.6.2"];

/** Qualified, and only for signing or sealing. */
function isQualified(certificate: Certificate): boolean {
  const statements = extensionOf(certificate, QC_STATEMENTS);
  if (!(statements instanceof QCStatements)) return false;
  const types = statements.values.filter(({ id }) => id === QC_TYPE).flatMap(typesIn);
  return (
    statements.values.some(({ id }) => id === QC_COMPLIANCE) &&
    types.length > 0 &&
    types.every((type) => SIGNING_TYPES.includes(type)) &&
    (hasUsage(certificate, "digitalSignature") || hasUsage(certificate, "nonRepudiation"))
  );
}

/** The object identifiers of a QcType statement; other content yields no signing type. */
function typesIn({ type }: QCStatement): readonly string[] {
  const listed: unknown = type?.valueBlock?.value;
  return Array.isArray(listed) ? listed.map(({ valueBlock }) => String(valueBlock)) : [];
}

/** A signature with one signer and the certificates sent with it. */
interface Enclosed {
  readonly signed: SignedData;
  readonly signer: ReadCertificate;
  readonly others: readonly ReadCertificate[];
}

const SIGNED_DATA = "1.2.840.113549.1.7.2";

/** Undefined unless the signer is unambiguous: exactly one signer, and no certificate twice. */
function enclosedIn(signature: Uint8Array): Enclosed | undefined {
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
