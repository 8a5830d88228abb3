/**
 * The package registry's known faults of the packages. Without an answer from it this is reported and no
 * failure: a build must not depend on it.
 */
import { execFile } from "node:child_process";
import { root } from "../src/ops/setup.mjs";

const LIMIT_MS = 60_000;
const MOST_BYTES = 50_000_000;
/** From this severity on a package of the running service fails the build. */
const FAILING = ["high", "critical"];
const SEVERITIES = ["info", "low", "moderate", ...FAILING];

/** @typedef {import("./audit.d.mts").Audit} Audit */

/** Grave faults of the running service fail; faults of the tools are only reported. */
export async function auditPackages(ask = askRegistry) {
  const running = readAudit(await ask(["--omit=dev", "--audit-level=high"]));
  const lines = [lineOf("packages of the service", running)];
  if (running.answered) {
    lines.push(lineOf("all packages, those of development included", readAudit(await ask([]))));
  }
  return { lines, fails: running.answered && FAILING.some((severity) => running.counts[severity] > 0) };
}

/** @returns {Audit} */
export function readAudit(output) {
  try {
    const { metadata, vulnerabilities } = JSON.parse(output);
    const counts = metadata.vulnerabilities;
    if (!SEVERITIES.every((severity) => Number.isInteger(counts[severity]))) return { answered: false };
    const packages = Object.values(vulnerabilities ?? {}).map(
      ({ name, severity }) => `${name} (${severity})`,
    );
    return { answered: true, counts, packages: packages.sort() };
  } catch {
    return { answered: false };
  }
}

/** @param {Audit} audit */
function lineOf(what, audit) {
  if (!audit.answered) return `audit of ${what}: the registry does not answer audits; nothing is known.`;
  const found = SEVERITIES.filter((severity) => audit.counts[severity] > 0).map(
    (severity) => `${audit.counts[severity]} ${severity}`,
  );
  if (found.length === 0) return `audit of ${what}: no known faults.`;
  return `audit of ${what}: ${found.join(", ")}: ${audit.packages.join(", ")}`;
}

/** The output of `npm audit`; its exit code adds nothing to the text. */
function askRegistry(args) {
  const npm = process.env.npm_execpath;
  const [command, ...first] = npm?.endsWith(".js") ? [process.execPath, npm] : ["npm"];
  const patience = ["--fetch-retries=0", `--fetch-timeout=${LIMIT_MS / 2}`];
  const options = { cwd: root, timeout: LIMIT_MS, killSignal: "SIGKILL", maxBuffer: MOST_BYTES };
  return new Promise((resolve) => {
    execFile(command, [...first, "audit", "--json", ...args, ...patience], options, (_, output) =>
      resolve(output ?? ""),
    );
  });
}
