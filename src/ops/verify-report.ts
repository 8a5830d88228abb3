/** The output of `npm run verify`. */
import {
  brokenChecks,
  INVOICE_CHECKS,
  PROOF_CHECKS,
  type ProofCheck,
  type ProofPlace,
  type ProofTally,
  RECORD_CHECKS,
} from "../domain/proof/checks.ts";
import type { Verification } from "../work/books/verify-books.ts";

interface CheckWords {
  /** The property that is checked. */
  readonly holds: string;
  /** The remedy if it fails. */
  readonly remedy: string;
}

const CHANGED =
  "A sealed row was changed past the triggers of the database. Change nothing else in it. Compare the row " +
  "with the bytes of the message that carried the record (R2, under the attempt's id) and with the " +
  "database as it was (wrangler d1 time-travel), and bring the row back as it was sealed.";
const LOST =
  "Rows were removed past the triggers, or an older copy of the database was restored. Restore the newest " +
  "state (wrangler d1 time-travel). If it cannot be had, close the installation and open a new one: its " +
  "chain begins anew, and its series have another letter.";
const ORPHAN =
  "Invoice and record are written in one batch, so one of them was removed or renamed past the triggers. " +
  "Restore it (wrangler d1 time-travel); never write one by hand.";

const WORDS: Readonly<Record<ProofCheck, CheckWords>> = {
  content: { holds: "the literals of the record can be read", remedy: CHANGED },
  position: { holds: "positions follow each other, none is missing", remedy: LOST },
  first: { holds: "the first record, and no other, says that it is the first", remedy: LOST },
  link: { holds: "the record links to the one before: hash, number, date, issuer", remedy: CHANGED },
  hash: { holds: "the hash is that of the literals", remedy: CHANGED },
  time: {
    holds: "no record was made before the one it follows",
    remedy: "The order of the chain counts, not the clock: nothing is to be sent again. Find out who set it.",
  },
  row: { holds: "what stands beside the literals says the same", remedy: CHANGED },
  issue_date: {
    holds: "FechaExpedicion and the timestamp are of one day",
    remedy: "The AEAT may have told it (2004). The date of the invoice stays; look at clock and zone.",
  },
  invoice: { holds: "the record has its invoice, with its number and date", remedy: ORPHAN },
  correction: { holds: "what corrects a record has its key, and an amendment its amounts", remedy: CHANGED },
  number: { holds: "numbers follow each other, none is missing or there twice", remedy: LOST },
  date: { holds: "no invoice is dated before the one it follows", remedy: CHANGED },
  series: { holds: "the series and its invoices are of this connection", remedy: ORPHAN },
  document: { holds: "the document is there, with the SHA-256 that is stored", remedy: CHANGED },
  registration: { holds: "the invoice has its registration, in the chain of its series", remedy: ORPHAN },
  literals: { holds: "the registration says what the document says", remedy: CHANGED },
};

export function reportOf(connectionId: string, verified: Verification): string {
  const { chains, series, tally } = verified;
  const broken = brokenChecks(tally);
  const verb = broken.length === 1 ? "does" : "do";
  return [
    `Connection ${connectionId}: ${counted(chains.length, "chain")}, ${series.length} series.`,
    ...retiredLines(verified),
    "",
    ...tableOf("Records", RECORD_CHECKS, tally),
    ...tableOf("Invoices", INVOICE_CHECKS, tally),
    ...broken.flatMap((check) => brokenLines(check, tally)),
    broken.length === 0
      ? "Everything holds."
      : `${counted(broken.length, "check")} of ${PROOF_CHECKS.length} ${verb} not hold.`,
  ].join("\n");
}

/** The beginning of the books after retired years. */
function retiredLines({ chains, leftUntil }: Verification): string[] {
  if (leftUntil === undefined) return [];
  const begun = chains.flatMap(({ installationNumber, start }) =>
    start ? [`Installation ${installationNumber} begins behind position ${figure(start.position)}.`] : [],
  );
  return [`Up to ${leftUntil} everything has left by retention runs (docs/runbooks/retention.md).`, ...begun];
}

function tableOf(title: string, checks: readonly ProofCheck[], tally: ProofTally): string[] {
  const rows = checks.map((check) => {
    const { checked, broken } = tally[check];
    const found = broken === 0 ? "" : `  BROKEN: ${figure(broken)}`;
    return `  ${figure(checked).padStart(11)}  ${check.padEnd(12)}  ${WORDS[check].holds}${found}`;
  });
  return [title, ...rows, ""];
}

function brokenLines(check: ProofCheck, tally: ProofTally): string[] {
  const { broken, checked, first } = tally[check];
  const where = first ? `, first at ${placeOf(first)}` : "";
  return [
    `BROKEN ${check}: ${figure(broken)} of ${figure(checked)}${where}.`,
    `  ${WORDS[check].remedy}`,
    "",
  ];
}

function placeOf(place: ProofPlace): string {
  return "chain" in place
    ? `position ${place.position} of installation ${place.chain}`
    : `number ${place.number} of series ${place.series}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function figure(count: number): string {
  return count.toLocaleString("en");
}
