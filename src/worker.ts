import type { Env } from "./env.ts";
import { createApp } from "./http/app.ts";
import { finishAccounts } from "./jobs/finish-accounts.ts";
import { appDeps, jobDeps } from "./wiring.ts";

export { ConnectionLedger } from "./ledger/connection-ledger.ts";

/** One app per isolate: its route table, contracts and documents are made once. */
let app: ReturnType<typeof createApp> | undefined;

export default {
  fetch(request, env, context) {
    app ??= createApp(appDeps(env));
    return app.fetch(request, env, context);
  },
  async scheduled(_event, env) {
    await finishAccounts(jobDeps(env));
  },
} satisfies ExportedHandler<Env>;
