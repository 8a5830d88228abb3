import { WorkerEntrypoint, waitUntil } from "cloudflare:workers";
import { createApp } from "./api/app.ts";
import type { Env } from "./env.ts";
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
import { finishAccounts } from "./work/finish-accounts.ts";
import { hearCompanies } from "./work/hear-companies.ts";
import { RATES_CRON, updateRates } from "./work/rates/update-rates.ts";
import { forget, HOURLY_CRON } from "./work/retention/forget.ts";
import { forgetProofs } from "./work/retention/forget-proofs.ts";
import { retire } from "./work/retention/retire.ts";
import { sweep } from "./work/sweep.ts";
import { watchLedgers } from "./work/watch-ledgers.ts";

export { ConnectionLedger } from "./ledger/core/connection-ledger.ts";

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
