/** `npm run retention`: the plan of retiring a year, and its confirmation. */

import { beginRun, readYearPlan } from "../db/retention/retention-plan.ts";
import { ledgerOf } from "../domain/connection/ids.ts";
import { obstaclesOf } from "../domain/retention/plan.ts";
import { localTime } from "../domain/shared/instant.ts";
import { onLedger } from "./ledger-database.ts";
import { HELP, type RetentionOptions, readRetentionOptions } from "./retention-options.ts";
import { begunReport, planReport } from "./retention-report.ts";
import { SetupError } from "./setup.mjs";

type Asked = Extract<RetentionOptions, { readonly help: false }>;

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
async function serve(ledger: D1Database, { accountId, year, order }: Asked): Promise<boolean> {
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
