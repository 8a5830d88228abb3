import {
  BasicOCSPResponse,
  type Certificate,
  type ExtKeyUsage,
  getCrypto,
  type InfoAccess,
  OCSPRequest,
  OCSPResponse,
} from "pkijs";
import { PROOF } from "../../../domain/limits.ts";
import { isStrongCertificate, isStrongSignature } from "./strength.ts";
import { bytesIn, extensionOf, isInTime } from "./x509.ts";

/** Queries an OCSP responder; undefined if no readable response arrives in time. */
export type AskStatus = (url: string, request: Uint8Array) => Promise<Uint8Array | undefined>;

interface Asked {
  readonly certificate: Certificate;
  readonly issuer: Certificate;
  readonly now: number;
}

const AUTHORITY_INFORMATION = "1.3.6.1.5.5.7.1.1";
const OCSP = "1.3.6.1.5.5.7.48.1";
const EXTENDED_KEY_USAGE = "2.5.29.37";
const OCSP_SIGNING = "1.3.6.1.5.5.7.3.9";
const GOOD = 0;
const REVOKED = 1;
/** Tolerance for the responder's clock. */
const SKEW_MS = 300_000;
/** Validity of a response without `nextUpdate`. */
const LONGEST_MS = 86_400_000;

/**
 * Queries the issuer's OCSP responder. Undefined without a valid response: the caller must then refuse the
 * certificate, because it may be revoked.
 */
export async function isRevoked(query: Asked, ask: AskStatus): Promise<boolean | undefined> {
  const url = responderOf(query.certificate);
  if (url === undefined) return undefined;
  try {
    const request = new OCSPRequest();
    const { certificate, issuer: issuerCertificate } = query;
    await request.createForCertificate(certificate, { hashAlgorithm: "SHA-1", issuerCertificate });
    const answer = await ask(url, new Uint8Array(request.toSchema(true).toBER(false)));
    return answer && (await read(answer, query));
  } catch {
    return undefined;
  }
}

function responderOf(certificate: Certificate): string | undefined {
  const information = extensionOf(certificate, AUTHORITY_INFORMATION) as InfoAccess | undefined;
  const found = information?.accessDescriptions?.find(({ accessMethod }) => accessMethod === OCSP);
  const url: unknown = found?.accessLocation.value;
  return typeof url === "string" && /^https?:\/\//.test(url) ? url : undefined;
}

async function read(bytes: Uint8Array, { certificate, issuer, now }: Asked): Promise<boolean | undefined> {
  const { responseStatus, responseBytes } = OCSPResponse.fromBER(bytes);
  if (responseStatus.valueBlock.valueDec !== 0 || !responseBytes) return undefined;
  const basic = BasicOCSPResponse.fromBER(bytesIn(responseBytes.response));
  if (!(await isSpokenFor(basic, issuer, now))) return undefined;
  const isCurrent = basic.tbsResponseData.responses.every(({ thisUpdate, nextUpdate }) => {
    const until = nextUpdate?.getTime() ?? thisUpdate.getTime() + LONGEST_MS;
    return thisUpdate.getTime() - SKEW_MS <= now && now <= until + SKEW_MS;
  });
  if (!isCurrent) return undefined;
  const { isForCertificate, status } = await basic.getCertificateStatus(certificate, issuer);
  if (!isForCertificate) return undefined;
  if (status === REVOKED) return true;
  return status === GOOD ? false : undefined;
}

/** Signed by the issuer, or by a responder that the issuer has certified for OCSP signing. */
async function isSpokenFor(basic: BasicOCSPResponse, issuer: Certificate, now: number): Promise<boolean> {
  if (!isStrongSignature(basic.signatureAlgorithm)) return false;
  if (await isSignedBy(basic, issuer)) return true;
  const responders = basic.certs ?? [];
  if (responders.length > PROOF.mostCertificates) return false;
  for (const responder of responders) {
    const isCertified =
      isInTime(responder, now) &&
      isStrongCertificate(responder) &&
      speaks(responder) &&
      responder.issuer.isEqual(issuer.subject) &&
      (await responder.verify(issuer).catch(() => false));
    if (isCertified && (await isSignedBy(basic, responder))) return true;
  }
  return false;
}

function speaks(responder: Certificate): boolean {
  const usage = extensionOf(responder, EXTENDED_KEY_USAGE) as ExtKeyUsage | undefined;
  return usage?.keyPurposes.includes(OCSP_SIGNING) ?? false;
}

function isSignedBy(basic: BasicOCSPResponse, { subjectPublicKeyInfo }: Certificate): Promise<boolean> {
  const { tbsResponseData, signature, signatureAlgorithm } = basic;
  const signed = tbsResponseData.tbsView.slice().buffer;
  return getCrypto(true)
    .verifyWithPublicKey(signed, signature, subjectPublicKeyInfo, signatureAlgorithm)
    .catch(() => false);
}
