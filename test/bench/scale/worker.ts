/**
 * The product with counted D1 bindings, for `scale.ts`: public API, owner's API and objects on one port.
 * Every answer has its D1 counts. Alarms run only on request, so that a count belongs to one request.
 */

import { waitUntil } from "cloudflare:workers";
import { createApp } from "../../../src/api/app.ts";
import { consoleOn } from "../../../src/console/wiring.ts";
import { ConnectionLedger as Product } from "../../../src/ledger/core/connection-ledger.ts";
import { appDeps, sweepDeps } from "../../../src/wiring.ts";
import { sweep } from "../../../src/work/sweep.ts";
import { faults } from "../../support/faults/faults.ts";
import { wrapEnv } from "../../support/faults/wrapped-d1.ts";
import { apiOver, ownerOver } from "../../support/worlds/deployment.ts";
import { withFarAlarms } from "../../support/worlds/watched-objects.ts";
import { WEBHOOK_URL } from "../books/webhook.ts";

/** The customer's server that webhooks of these books go to takes everything. */
const outside = globalThis.fetch;
globalThis.fetch = async (input, init) =>
  String(input).startsWith(WEBHOOK_URL) ? new Response() : outside(input, init);

export class ConnectionLedger extends Product {
  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, wrapEnv(env));
    this.ctx = withFarAlarms(this.ctx);
  }

  /** Over RPC, where `alarm` is the runtime's own name. */
  async ring(): Promise<void> {
    await this.alarm();
  }

  /** As after ten idle seconds: the next call finds an object that knows nothing. */
  async forget(): Promise<void> {
    this.ctx.abort("forgotten");
  }
}

let app: ReturnType<typeof createApp> | undefined;

export default {
  async fetch(request, env, context) {
    faults.take();
    faults.countAll(request.headers.has("X-Count-Rows"));
    const response = await answer(request, env, context);
    const body = await response.arrayBuffer();
    const headers = new Headers(response.headers);
    headers.set("X-D1", JSON.stringify(spent()));
    return new Response(response.status === 304 ? null : body, { status: response.status, headers });
  },
} satisfies ExportedHandler<Cloudflare.Env>;

async function answer(request: Request, env: Cloudflare.Env, context: ExecutionContext): Promise<Response> {
  const { pathname } = new URL(request.url);
  const [, area, deed, connectionId = ""] = pathname.split("/");
  if (area === "bench" && deed === "sweep") return sweepAll(env);
  if (area === "bench") return bench(deed, env.CONNECTION_LEDGER.getByName(connectionId));
  if (area === "api" && deed !== "v1") return consoleOn(ownerOver(wrapEnv(env))).fetch(request);
  app ??= createApp(appDeps(apiOver(wrapEnv(env)), waitUntil));
  return app.fetch(request, wrapEnv(env), context);
}

async function bench(deed: string | undefined, stub: DurableObjectStub): Promise<Response> {
  if (deed === "forget") {
    // The object is aborted before it can answer.
    await (stub as unknown as ConnectionLedger).forget().catch(() => undefined);
    return new Response("forgotten");
  }
  await (stub as unknown as ConnectionLedger).ring();
  return new Response("rung");
}

/** The sweep that cron makes every minute; it wakes no object. */
async function sweepAll(env: Cloudflare.Env): Promise<Response> {
  await sweep({ ...sweepDeps(apiOver(wrapEnv(env))), wake: async () => {} });
  return new Response("swept");
}

function spent() {
  const trips = faults.take();
  const sum = (of: "rowsRead" | "rowsWritten") => trips.reduce((total, trip) => total + trip[of], 0);
  return { trips: trips.length, read: sum("rowsRead"), written: sum("rowsWritten") };
}
