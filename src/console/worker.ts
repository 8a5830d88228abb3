import { WorkerEntrypoint } from "cloudflare:workers";
import { misconfigured } from "../api/misconfigured.ts";
import { type OwnerEnv, ownerDeployment } from "../env.ts";
import { logMisconfigured } from "../wiring-both.ts";
import { consoleOn } from "./wiring.ts";

/** The owner Worker. It has no host: only the console's Pages Function has a binding to it. */
export default class OwnerApi extends WorkerEntrypoint<OwnerEnv> {
  override async fetch(request: Request): Promise<Response> {
    const deployment = ownerDeployment(this.env);
    if (!deployment.ok) return misconfigured(request, "es", deployment.error, logMisconfigured);
    return consoleOn(deployment.value).fetch(request);
  }
}
