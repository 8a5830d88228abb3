import { waitUntil } from "cloudflare:workers";
import { createApp } from "./api/app.ts";
import { misconfigured } from "./api/misconfigured.ts";
import { type ApiDeployment, type ApiEnv, apiDeployment } from "./env.ts";
import {
  appDeps,
  fillDeps,
  forgetDeps,
  forgetProofsDeps,
  jobDeps,
  ratesDeps,
  retireDeps,
  runJob,
  sweepDeps,
  syncJobDeps,
  watchDeps,
} from "./wiring.ts";
import { logMisconfigured } from "./wiring-both.ts";
import { fillEntries } from "./work/entries/fill-entries.ts";
import { finishAccounts } from "./work/finish-accounts.ts";
import { RATES_CRON, updateRates } from "./work/rates/update-rates.ts";
import { forget, forgetProofs, HOURLY_CRON } from "./work/retention/forget.ts";
import { retire } from "./work/retention/retire-year.ts";
import { sweep, watchLedgers } from "./work/sweep.ts";
import { mailClaimNotices, syncCompanies } from "./work/sync-companies.ts";

export { ConnectionLedger } from "./ledger/core/connection-ledger.ts";

/** One app per isolate: its route table, contracts and documents are made once. */
let app: ReturnType<typeof createApp> | undefined;

export default {
  fetch(request, env, context) {
    if (!app) {
      const deployment = apiDeployment(env);
      if (!deployment.ok) return misconfigured(request, "en", deployment.error, logMisconfigured);
      app = createApp(appDeps(deployment.value, waitUntil));
    }
    return app.fetch(request, env, context);
  },
  async scheduled({ cron }, env) {
    const deployment = apiDeployment(env);
    if (deployment.ok) await runJobs(cron, deployment.value);
    else logMisconfigured(deployment.error, { job: "cron" });
  },
} satisfies ExportedHandler<ApiEnv>;

async function runJobs(cron: string, deployment: ApiDeployment): Promise<void> {
  await runJob("sweep", sweepDeps(deployment), sweep);
  if (cron === RATES_CRON) await runJob("update_rates", ratesDeps(deployment), updateRates);
  else if (cron === HOURLY_CRON) await runHourly(deployment);
  else await runJob("finish_accounts", jobDeps(deployment), finishAccounts);
  await runJob("hear_companies", syncJobDeps(deployment), syncCompanies);
  await runJob("retire", retireDeps(deployment), retire);
  await runJob("fill_entries", fillDeps(deployment), fillEntries);
}

async function runHourly(deployment: ApiDeployment): Promise<void> {
  await runJob("forget", forgetDeps(deployment), forget);
  await runJob("forget_proofs", forgetProofsDeps(deployment), forgetProofs);
  await runJob("tell_of_claims", syncJobDeps(deployment), mailClaimNotices);
  await runJob("watch_ledgers", watchDeps(deployment), watchLedgers);
}
