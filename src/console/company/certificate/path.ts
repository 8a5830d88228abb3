import { PROOF } from "../../../domain/limits.ts";
import { isStrongCertificate, isStrongKey } from "./strength.ts";
import { isInTime, isWellMade, mayIssue, type ReadCertificate } from "./x509.ts";

export interface PathGiven {
  /** Certificates that the signer sent along. Each counts only where the path verifies its signature. */
  readonly others: readonly ReadCertificate[];
  readonly anchors: readonly ReadCertificate[];
  readonly now: number;
}

export type Path = readonly [signer: ReadCertificate, ...above: ReadCertificate[]];

/**
 * From the signer up to an anchor, each named by the one below as its issuer and having signed it. A path of
 * so few certificates is tried out whole: what comes along can neither lengthen it nor send it in circles.
 */
export async function pathToAnchor(path: Path, given: PathGiven): Promise<Path | undefined> {
  for (const anchor of given.anchors) {
    if (await hasIssued(anchor, path, given.now)) return [...path, anchor];
  }
  // The last place is an anchor's.
  if (path.length + 1 >= PROOF.certificatesInPath) return undefined;
  for (const other of given.others) {
    if (path.includes(other) || !isStrongCertificate(other.certificate)) continue;
    if (!(await hasIssued(other, path, given.now))) continue;
    const found = await pathToAnchor([...path, other], given);
    if (found) return found;
  }
  return undefined;
}

/** The signature is checked last: it costs the most. */
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
