import { type Certificate, type QCStatement, QCStatements } from "pkijs";
import { extensionOf, hasUsage, QC_STATEMENTS } from "./x509.ts";

/** EN 319 412-5: issued as a qualified certificate. */
const QC_COMPLIANCE = "0.4.0.1862.1.1";
const QC_TYPE = "0.4.0.1862.1.6";
/** QcType esign and eseal (EN 319 412-5). That of websites is left out: it proves a domain, and no NIF. */
const SIGNING_TYPES: readonly string[] = ["0.4.0.1862.1.6.1", "0.4.0.1862.1.6.2"];

/** Issued as a qualified certificate to sign or seal with, and for nothing else. */
export function isQualified(certificate: Certificate): boolean {
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

/** A sequence of object identifiers; whatever else stands there is no type that signs. */
function typesIn({ type }: QCStatement): readonly string[] {
  const listed: unknown = type?.valueBlock?.value;
  return Array.isArray(listed) ? listed.map(({ valueBlock }) => String(valueBlock)) : [];
}
