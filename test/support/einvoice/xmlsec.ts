import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Undefined on a machine without xmlsec1. */
export const xmlsecPath: string | undefined = process.env.XMLSEC1_PATH || undefined;

const IDS = [
  "http://uri.etsi.org/01903/v1.3.2#:SignedProperties",
  "http://www.w3.org/2000/09/xmldsig#:KeyInfo",
];

export interface Verified {
  readonly isValid: boolean;
  /** References whose digests are right, of all: `3/3`. */
  readonly references: string | undefined;
}

/** The verdict of xmlsec1 on a signed file, with these certificates trusted. */
export function verified(xml: string | Uint8Array, trustedPem: string): Verified {
  const folder = mkdtempSync(join(tmpdir(), "cuadre-xmlsec-"));
  try {
    const [file, trusted] = [join(folder, "file.xsig"), join(folder, "trusted.pem")];
    writeFileSync(file, xml);
    writeFileSync(trusted, trustedPem);
    const ids = IDS.flatMap((id) => ["--id-attr:Id", id]);
    const keys = ["--enabled-key-data", "x509", "--trusted-pem", trusted];
    const run = spawnSync(xmlsecPath ?? "xmlsec1", ["--verify", ...keys, ...ids, file], { encoding: "utf8" });
    const told = run.stdout + run.stderr;
    const references = /SignedInfo References \(ok\/all\): (\d+\/\d+)/.exec(told)?.[1];
    return { isValid: run.status === 0 && /^OK$/m.test(told), references };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
