/**
 * `npm run prove:einvoice`: invoices at random (INVOICES, SEED) in every format that they may have, each file
 * by its schema and by the compiled rules of EN 16931 and Peppol. RULES_EVERY=50 gives only each fiftieth
 * invoice to the rules, which take a hundred times as long as the schemas. It ends with 1 if one file has a
 * finding, be it a warning, and names its seed and place.
 */
import fc from "fast-check";
import { ANY_STEPS, anyInvoice } from "../support/builders/random-invoices.ts";
import { electronicFilesOf } from "../support/einvoice/electronic-files.ts";
import { rulesFolder } from "../support/einvoice/rules.ts";
import { schemaErrors } from "../support/einvoice/schemas.ts";
import { findingsIn, openValidator } from "../support/einvoice/validator.ts";
import { advance, begin, PATIENCE_OF_A_START_MS } from "../support/progress/progress.ts";

const invoices = Number(process.env.INVOICES || 20_000);
const firstSeed = Number(process.env.SEED || 20_261_130);
const rulesEvery = Number(process.env.RULES_EVERY || 1);
/** One sample of fast-check: a finding is made again by its seed, without all samples before it. */
const SAMPLE = 100;
const MOST_SHOWN = 20;

if (rulesFolder === undefined) throw new Error("EINVOICE_RULES must be the folder of schemas and rules");

const startedAt = Date.now();
begin("read schemas and rules", { patienceMs: PATIENCE_OF_A_START_MS });
const check = await openValidator();
const written: Record<string, number> = {};
const ruled: Record<string, number> = {};
const findings: string[] = [];

begin("invoices at random", { total: invoices, patienceMs: PATIENCE_OF_A_START_MS });
for (let from = 0; from < invoices; from += SAMPLE) {
  const seed = firstSeed + from / SAMPLE;
  const drawn = fc.sample(ANY_STEPS, { seed, numRuns: Math.min(SAMPLE, invoices - from) });
  for (const [place, steps] of drawn.entries()) {
    const isRuled = (from + place) % rulesEvery === 0;
    for (const { format, xml } of electronicFilesOf(anyInvoice(steps))) {
      written[format] = (written[format] ?? 0) + 1;
      const byRules = isRuled && format !== "facturae";
      if (byRules) ruled[format] = (ruled[format] ?? 0) + 1;
      const found = byRules ? findingsIn(check(xml, { peppol: format === "ubl_peppol" })) : schemaErrors(xml);
      findings.push(...found.map((finding) => `seed ${seed}, invoice ${place}, ${format}: ${finding}`));
    }
    advance();
  }
}

const seconds = Math.round((Date.now() - startedAt) / 1_000);
console.log(
  JSON.stringify({ seconds, invoices, firstSeed, written, ruled, findings: findings.length }, null, 1),
);
for (const finding of findings.slice(0, MOST_SHOWN)) console.error(finding);
if (findings.length > 0) process.exitCode = 1;
