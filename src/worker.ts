import { WorkerEntrypoint, waitUntil } from "cloudflare:workers";
import type { Env } from "./env.ts";
import { createApp } from "./http/app.ts";
import { finishAccounts } from "./jobs/finish-accounts.ts";
import { forget, HOURLY_CRON } from "./jobs/forget.ts";
import { forgetProofs } from "./jobs/forget-proofs.ts";
import { hearCompanies } from "./jobs/hear-companies.ts";
import { retire } from "./jobs/retire.ts";
import { sweep } from "./jobs/sweep.ts";
import { RATES_CRON, updateRates } from "./jobs/update-rates.ts";
import { watchLedgers } from "./jobs/watch-ledgers.ts";
import {
  appDeps,
  forgetDeps,
  jobDeps,
  ratesDeps,
  retireDeps,
  runJob,
  sweepDeps,
  watchDeps,
} from "./wiring.ts";
import { forgetProofsDeps, hearJobDeps } from "./wiring-companies.ts";

export { ConnectionLedger } from "./ledger/connection-ledger.ts";

/** One app per isolate: its route table, contracts and documents are made once. */
let app: ReturnType<typeof createApp> | undefined;

/**
 * The owner's API. It is on no host: only the console's Pages Function has a binding to it. Loaded with the
 * first request, because sign-in is a third of the code, and no connector needs it.
 */
export class OwnerApi extends WorkerEntrypoint<Env> {
  override async fetch(request: Request): Promise<Response> {
    const { consoleOn } = await import("./wiring-console.ts");
    return consoleOn(this.env).fetch(request);
  }
}

export default {
  fetch(request, env, context) {
    app ??= createApp(appDeps(env, waitUntil));
    return app.fetch(request, env, context);
  },
  async scheduled({ cron }, env) {
    await runJob("sweep", sweepDeps(env), sweep);
    if (cron === RATES_CRON) await runJob("update_rates", ratesDeps(env), updateRates);
    else if (cron === HOURLY_CRON) await runHourly(env);
    else await runJob("finish_accounts", jobDeps(env), finishAccounts);
    await runJob("hear_companies", hearJobDeps(env), hearCompanies);
    await runJob("retire", retireDeps(env), retire);
  },
} satisfies ExportedHandler<Env>;

async function runHourly(env: Env): Promise<void> {
  await runJob("forget", forgetDeps(env), forget);
  await runJob("forget_proofs", forgetProofsDeps(env), forgetProofs);
  await runJob("watch_ledgers", watchDeps(env), watchLedgers);
}
