/**
 * A Worker on the local runtime without wrangler's proxy in front, which loses connections when many come at once:
 * `node serve.ts BUNDLE CONFIG PORT STATE VARS FLAGS INSPECTOR_PORT`, VARS and FLAGS as JSON.
 */
import { dirname, join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from "wrangler";

const [bundle = "", config = "", port = "", state = "", ...rest] = process.argv.slice(2);
const [vars = "{}", flags = "[]", inspectorPort = ""] = rest;

const { workerOptions } = unstable_getMiniflareWorkerOptions(unstable_readConfig({ config }));
const runtime = new Miniflare(
  convertV4MiniflareOptions({
    ...workerOptions,
    compatibilityFlags: [...new Set([workerOptions.compatibilityFlags ?? [], JSON.parse(flags)].flat())],
    bindings: Object.assign({}, workerOptions.bindings, JSON.parse(vars)),
    ...{ modules: [{ type: "ESModule", path: bundle }], modulesRoot: dirname(bundle) },
    ...{ host: "127.0.0.1", port: Number(port), resourcePersistencePath: join(state, "v3") },
    ...(inspectorPort ? { inspectorPort: Number(inspectorPort) } : {}),
  }),
);
await runtime.ready;
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void runtime.dispose().finally(() => process.exit(0)));
