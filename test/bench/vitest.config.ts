import { dirname } from "node:path";
import { cloudflareTest } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";
import { unstable_readConfig } from "wrangler";
import { freshDatabasesBinding } from "../support/worlds/template-databases.ts";

const root = `${dirname(dirname(import.meta.dirname))}/`;
const ownerConfig = unstable_readConfig({ config: `${root}src/console/wrangler.toml` });

export default defineConfig({
  root,
  plugins: [
    cloudflareTest(async () => ({
      main: `${root}test/support/worlds/test-worker.ts`,
      wrangler: { configPath: `${root}wrangler.toml` },
      miniflare: {
        compatibilityFlags: ownerConfig.compatibility_flags,
        bindings: {
          ...ownerConfig.vars,
          INITIAL_CONTROL: "{}",
          API_KEY_SECRETS: "secret-of-the-benches",
          VIEWER_TOKEN_SECRETS: "viewer-secret-of-the-benches",
          SHOP_SECRETS: "shop-secret-of-the-benches",
          BENCH_SAMPLES: process.env.BENCH_SAMPLES ?? "300",
          BENCH_ORDERS: process.env.BENCH_ORDERS ?? "10000",
        },
        serviceBindings: { FRESH_DATABASES: await freshDatabasesBinding(`${root}migrations`) },
        // Its class marks a runtime with fresh databases.
        durableObjects: { AUTHORITY: { className: "SandboxAuthority", useSQLite: true } },
      },
    })),
  ],
  test: {
    include: ["test/bench/**/*.bench.ts"],
    setupFiles: ["test/support/worlds/worker-setup.ts"],
    testTimeout: 3_600_000,
    isolate: false,
    // One bench at a time, and its lines as they come.
    fileParallelism: false,
    disableConsoleIntercept: true,
  },
});
