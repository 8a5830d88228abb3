import {
  Certificate,
  CertificateChainValidationEngine,
  ContentInfo,
  type ExtensionValueType,
  QCStatements,
  SignedData,
} from "pkijs";
import { type Refusal, refuse } from "../domain/invoice/refusal.ts";
import type { PhraseCode } from "../domain/shared/fact.ts";
import { ok, type Result } from "../domain/shared/result.ts";
import { nifFrom } from "../domain/shared/tax-identifier.ts";
import type { SignedBy, VerifySignature } from "../usecases/console/prove-company.ts";
import { type AskStatus, isRevoked } from "./revocation.ts";
import { bytesIn, equalBytes, valuesOf } from "./x509.ts";

export interface SignatureDeps {
  /** Certificates that are trusted to issue qualified ones, as DER. */
  readonly anchors: readonly Uint8Array[];
  /** What the OCSP responder of an issuer answers; undefined where it answers nothing in time. */
  readonly askStatus: AskStatus;
}

type Reason = Extract<PhraseCode, `signature_${string}`>;
type Refused = Result<never, Refusal<"signature_invalid">>;

const SIGNED_DATA = "1.2.840.113549.1.7.2";
const SIGNING_CERTIFICATE_V2 = "1.2.840.113549.1.9.16.2.47";
const QC_STATEMENTS = "1.3.6.1.5.5.7.1.3";
/** EN 319 412-5: issued as a qualified certificate. */
const QC_COMPLIANCE = "0.4.0.1862.1.1";
const ORGANISATION_IDENTIFIER = "2.5.4.97";
const SERIAL_NUMBER = "2.5.4.5";
const HASHES: Readonly<Record<number, string>> = { 32: "SHA-256", 48: "SHA-384", 64: "SHA-512" };

/**
 * A CAdES signature over a text, by one qualified certificate: what is signed, by which certificate, whether
 * that chains to an anchor, is in time, is qualified and is not revoked, and whose NIF it names. Each step
 * answers no unless it is sure.
 */
export function signatureVerifier(deps: SignatureDeps): VerifySignature {
  return async (signature, text, now) => {
    const signed = signedDataIn(signature);
    const certificates = signed?.certificates?.filter((one) => one instanceof Certificate) ?? [];
    const signer = signed && signerOf(signed, certificates);
    if (!signed || !signer) return no("signature_unreadable");
    const content = new TextEncoder().encode(text);
    if (!isOver(signed, content)) return no("signature_of_other_text");
    if (!(await isSigned(signed, signer, content))) return no("signature_broken");
    if (!isInTime(signer, now)) return no("signature_out_of_time");
    const anchors = deps.anchors.map((der) => Certificate.fromBER(der));
    const issuer = await issuerOf(signer, { certificates, anchors, now });
    if (!issuer) return no("signature_untrusted");
    if (!isQualified(signer)) return no("signature_unqualified");
    const nif = nifOf(signer);
    if (nif === undefined) return no("signature_without_nif");
    const revoked = await isRevoked({ certificate: signer, issuer, now }, deps.askStatus);
    if (revoked === undefined) return no("signature_revocation_unknown");
    if (revoked) return no("signature_revoked");
    return ok(await signedBy(signer, issuer, nif));
  };
}

function no(reason: Reason): Refused {
  const phrase = { phrase: reason } as { readonly phrase: Exclude<Reason, "signature_of_another"> };
  return refuse("signature_invalid", { reason: phrase });
}

function signedDataIn(signature: Uint8Array): SignedData | undefined {
  try {
    const info = ContentInfo.fromBER(signature);
    return info.contentType === SIGNED_DATA ? new SignedData({ schema: info.content }) : undefined;
  } catch {
    return undefined;
  }
}

/** Of the one signer: of several nobody could say who proves the NIF. */
function signerOf(signed: SignedData, certificates: readonly Certificate[]): Certificate | undefined {
  const [signer, ...others] = signed.signerInfos;
  if (!signer || others.length > 0) return undefined;
  const { issuer, serialNumber } = signer.sid ?? {};
  if (!issuer || !serialNumber) return undefined;
  return certificates.find((one) => one.serialNumber.isEqual(serialNumber) && one.issuer.isEqual(issuer));
}

/** Enclosed, it is the text to the byte; detached, it is the text that is verified. */
function isOver({ encapContentInfo }: SignedData, content: Uint8Array): boolean {
  const { eContent } = encapContentInfo;
  return eContent === undefined || equalBytes(bytesIn(eContent), content);
}

/** The signature itself, and that it names the certificate: another with the same key is not meant. */
async function isSigned(signed: SignedData, signer: Certificate, content: Uint8Array): Promise<boolean> {
  const attributes = signed.signerInfos[0]?.signedAttrs?.attributes ?? [];
  const named = attributes.find(({ type }) => type === SIGNING_CERTIFICATE_V2);
  const hash = named && valuesOf(named.values[0]).find((bytes) => HASHES[bytes.length] !== undefined);
  const algorithm = hash && HASHES[hash.length];
  if (!hash || !algorithm) return false;
  const digest = await crypto.subtle.digest(algorithm, signer.toSchema(true).toBER(false));
  if (!equalBytes(new Uint8Array(digest), hash)) return false;
  try {
    const data = content.slice().buffer;
    return await signed.verify({ signer: 0, data, checkChain: false });
  } catch {
    return false;
  }
}

function isInTime({ notBefore, notAfter }: Certificate, now: number): boolean {
  return notBefore.value.getTime() <= now && now <= notAfter.value.getTime();
}

interface Chain {
  readonly certificates: readonly Certificate[];
  readonly anchors: readonly Certificate[];
  readonly now: number;
}

/** Who issued it, if the chain ends at an anchor. */
async function issuerOf(signer: Certificate, chain: Chain): Promise<Certificate | undefined> {
  // The trusted list names those that issue, which are seldom roots.
  for (const anchor of chain.anchors) {
    const isNamed = signer.issuer.isEqual(anchor.subject) && isInTime(anchor, chain.now);
    if (isNamed && (await signer.verify(anchor).catch(() => false))) return anchor;
  }
  if (chain.anchors.length === 0) return undefined;
  const others = chain.certificates.filter((one) => one !== signer);
  const engine = new CertificateChainValidationEngine({
    // The last one is the one that is asked about.
    certs: [...others, signer],
    trustedCerts: [...chain.anchors],
    checkDate: new Date(chain.now),
  });
  const found = await engine.verify().catch(() => undefined);
  const [, issuer] = found?.result ? (found.certificatePath ?? []) : [];
  return issuer;
}

function isQualified({ extensions = [] }: Certificate): boolean {
  const statements: ExtensionValueType | undefined = extensions.find(
    ({ extnID }) => extnID === QC_STATEMENTS,
  )?.parsedValue;
  return statements instanceof QCStatements && statements.values.some(({ id }) => id === QC_COMPLIANCE);
}

/** Of the entity where it names one, else of the person. */
function nifOf({ subject }: Certificate): string | undefined {
  const textOf = (type: string) =>
    subject.typesAndValues.find((one) => one.type === type)?.value.valueBlock.value as string | undefined;
  const [, entity] = /^VATES-(.+)$/.exec(textOf(ORGANISATION_IDENTIFIER) ?? "") ?? [];
  const [, person] = /^IDCES-(.+)$/.exec(textOf(SERIAL_NUMBER) ?? "") ?? [];
  const stated = entity ?? person;
  return stated === undefined ? undefined : nifFrom(stated);
}

async function signedBy(signer: Certificate, issuer: Certificate, nif: string): Promise<SignedBy> {
  const hashOf = async (one: Certificate) => {
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", one.toSchema(true).toBER(false)));
    return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  };
  return { nif, facts: { certificate: await hashOf(signer), issuer: await hashOf(issuer) } };
}
