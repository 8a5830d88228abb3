/** `npm run retention`: what of a year would leave the books, and the word that lets it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ledgerOf } from "../domain/connection/ids.ts";
import { obstaclesOf } from "../domain/retention/plan.ts";
import { localTime } from "../domain/shared/instant.ts";
import { ledgersOf } from "../storage/ledgers.ts";
import { beginRun, readYearPlan } from "../storage/retention-plan.ts";
import { withLocalDatabases } from "./local-databases.ts";
import { remoteLedger } from "./remote-ledger.ts";
import { HELP, type RetentionOptions, readRetentionOptions } from "./retention-options.ts";
import { begunReport, planReport } from "./retention-report.ts";
import { SetupError } from "./setup.mjs";

type Asked = Extract<RetentionOptions, { readonly help: false }>;

try {
  const options = readRetentionOptions(process.argv.slice(2), process.env);
  if (options.help) console.log(HELP);
  else process.exitCode = (await serve(options)) ? 0 : 1;
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function serve(asked: Asked): Promise<boolean> {
  const ledger = ledgerOf(asked.accountId, "ac") ?? "";
  const { target } = asked;
  if (!("stateDir" in target)) return serveOn(remoteLedger(ledger, target.wranglerFlags), asked);
  const dir = target.stateDir;
  const databases = join(dir, "wrangler");
  if (!existsSync(databases)) throw new SetupError(`${dir} holds no databases: run npm start once.`);
  return await withLocalDatabases({ dir, databases }, (env) => serveOn(ledgersOf(env).get(ledger), asked));
}

/** Whether nothing stood against what was asked. */
async function serveOn(ledger: D1Database | undefined, { accountId, year, order }: Asked): Promise<boolean> {
  if (!ledger) throw new SetupError(`${accountId} names a ledger that the configuration does not have.`);
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

/** The triggers decide, whatever was found before them. */
async function begin(send: () => Promise<void>): Promise<void> {
  try {
    await send();
  } catch (error) {
    const [refusal] = /(retention|fence):\w+/.exec(error instanceof Error ? error.message : "") ?? [];
    if (refusal === undefined) throw error;
    throw new SetupError(`Nothing was begun: the database refused it (${refusal}).`);
  }
}
