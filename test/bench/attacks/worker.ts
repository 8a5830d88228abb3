/**
 * The product with the owner's API and cron on the port of the public API, for `npm run bench -- attacks`.
 */

import { consoleOn } from "../../../src/console/wiring.ts";
import product from "../../../src/worker.ts";
import { faults } from "../../support/faults/faults.ts";
import { wrapEnv } from "../../support/faults/wrapped-d1.ts";
import { ownerOver } from "../../support/worlds/deployment.ts";

export { ConnectionLedger } from "../../../src/worker.ts";

const CRON_PATH = "/bench/cron";
const EVERY_MINUTE = "* * * * *";
/**
 * The local D1 answers in the thread of the Worker, which looks at no socket before a chain of calls has
 * ended. So each call of cron goes some way, as it does on Cloudflare.
 */
const CRON_TRIP_MS = 5;

export default {
  async fetch(request, env, context) {
    const { pathname } = new URL(request.url);
    if (pathname === CRON_PATH) {
      faults.take();
      faults.addLatency(CRON_TRIP_MS);
      const run = { cron: EVERY_MINUTE, scheduledTime: Date.now(), noRetry() {} };
      await product.scheduled(run, wrapEnv(env));
      return new Response("done");
    }
    const isOwners = pathname.startsWith("/api/") && !pathname.startsWith("/api/v1/");
    return isOwners ? consoleOn(ownerOver(env)).fetch(request) : product.fetch(request, env, context);
  },
} satisfies ExportedHandler<Cloudflare.Env>;
