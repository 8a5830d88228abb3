import { parseArgs } from "node:util";
import { beginRun, readYearPlan } from "../db/retention/retention-plan.ts";
import { ledgerOf } from "../domain/connection/ids.ts";
import { obstaclesOf } from "../domain/retention/keeping.ts";
import { localTime } from "../domain/shared/instant.ts";
import { type DatabaseTarget, TARGET_OPTIONS, targetOf } from "./database-target.ts";
import { onLedger } from "./open-databases.ts";
import { begunReport, planReport } from "./retention-report.ts";
import { SetupError } from "./setup.mjs";

type RetentionOptions =
  | { readonly help: true }
  | {
      readonly help: false;
      readonly accountId: string;
      readonly year: number;
      readonly target: DatabaseTarget;
      /** Without it nothing is written. */
      readonly order?: RetentionOrder;
    };

interface RetentionOrder {
  /** `NIF-YEAR`, so that neither account nor year is a slip of the hand. */
  readonly confirmed: string;
  readonly operator: string;
  readonly reason: string;
}

const USAGE =
  "npm run retention -- --account ID --year YYYY [--local STATE_DIR | --remote --env production] " +
  "[--confirm NIF-YYYY --operator NAME --reason TEXT]";

export const HELP = `${USAGE}

Has a year leave the books of an account: its invoices with documents, records, lists and words, the orders
that they were issued for, the messages to the AEAT with their bytes in R2, and the lines of the audit log. It
prints what would leave and what stands against it, and writes nothing. docs/runbooks/retention.md says when,
and who has to agree.

  --account ID      the account, ac and 19 characters
  --year YYYY       the year: over, and six years ago at least (ten with sales of the one-stop shop)
  --local DIR       the state of a local server; by default STATE_DIR, or .local
  --remote          the databases of Cloudflare, through wrangler
  --env NAME        with --remote: the environment of wrangler.toml
  --confirm TEXT    begins: the NIF of the account, a hyphen and the year
  --operator NAME   with --confirm: who begins it
  --reason TEXT     with --confirm: who asked for it, as a reference; it stands in the account's activity

What was begun the service works off by itself, some of it every minute; the same command without --confirm
shows how far it has come. Ends with 0 when nothing stands against it, 1 otherwise.`;

export function readRetentionOptions(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): RetentionOptions {
  const { account, year, confirm, operator, reason, help, ...where } = parsed(args);
  if (help) return { help };
  if (account === undefined) throw new SetupError(`Say which account: ${USAGE}`);
  if (ledgerOf(account, "ac") === undefined) {
    throw new SetupError(`${JSON.stringify(account)} is not the id of an account: ac and 19 characters.`);
  }
  if (year === undefined || !/^20\d\d$/.test(year)) throw new SetupError(`Say which year, as 2019: ${USAGE}`);
  const request = { accountId: account, year: Number(year), target: targetOf(where, environment, USAGE) };
  if (confirm === undefined) return { help: false, ...request };
  if (!operator?.trim() || !reason?.trim()) {
    throw new SetupError(`Who begins it, and why: --operator and --reason go with --confirm. ${USAGE}`);
  }
  const order = { confirmed: confirm.trim(), operator: operator.trim(), reason: reason.trim() };
  return { help: false, ...request, order };
}

function parsed(args: readonly string[]) {
  const text = { type: "string" } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        ...{ account: text, year: text, confirm: text, operator: text, reason: text },
        help: { type: "boolean" },
        ...TARGET_OPTIONS,
      },
    }).values;
  } catch (error) {
    throw new SetupError(`${error instanceof Error ? error.message : "unreadable"} Usage: ${USAGE}`);
  }
}

/** `npm run retention`: the plan of retiring a year, and its confirmation. */

type RetirementRequest = Extract<RetentionOptions, { readonly help: false }>;

try {
  const options = readRetentionOptions(process.argv.slice(2), process.env);
  if (options.help) {
    console.log(HELP);
  } else {
    const ledger = ledgerOf(options.accountId, "ac") ?? "";
    const isFree = await onLedger({ target: options.target, ledger }, (db) => serve(db, options));
    process.exitCode = isFree ? 0 : 1;
  }
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

/** True if nothing prevented the request. */
async function serve(ledger: D1Database, { accountId, year, order }: RetirementRequest): Promise<boolean> {
  const plan = await readYearPlan(ledger, { accountId, year });
  if (!plan) throw new SetupError(`There is no account ${accountId} in its ledger.`);
  const now = Date.now();
  const obstacles = obstaclesOf(plan, localTime(now, "Europe/Madrid").date);
  console.log(planReport(plan, obstacles));
  if (!order || plan.run) return obstacles.length === 0;
  if (obstacles.length > 0) throw new SetupError("Nothing was begun.");
  if (order.confirmed !== `${plan.nif}-${year}`) {
    throw new SetupError(`Nothing was begun: --confirm has to be ${plan.nif}-${year}.`);
  }
  await begin(() => beginRun(ledger, plan, { reason: order.reason, begunBy: order.operator, at: now }));
  console.log(begunReport(plan));
  return true;
}

/** The triggers decide, regardless of the earlier checks. */
async function begin(send: () => Promise<void>): Promise<void> {
  try {
    await send();
  } catch (error) {
    const [refusal] = /(retention|fence):\w+/.exec(error instanceof Error ? error.message : "") ?? [];
    if (refusal === undefined) throw error;
    throw new SetupError(`Nothing was begun: the database refused it (${refusal}).`);
  }
}
