import { dirname } from "node:path";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";

const root = `${dirname(dirname(import.meta.dirname))}/`;

export default defineConfig({
  root,
  plugins: [
    cloudflareTest(async () => ({
      main: `${root}test/support/test-worker.ts`,
      wrangler: { configPath: `${root}wrangler.toml` },
      miniflare: {
        bindings: {
          API_KEY_SECRETS: "secret-of-the-benches",
          VIEWER_TOKEN_SECRETS: "viewer-secret-of-the-benches",
          BENCH_SAMPLES: process.env.BENCH_SAMPLES ?? "300",
          TEST_MIGRATIONS: {
            ledger: await readD1Migrations(`${root}migrations/ledger`),
            directory: await readD1Migrations(`${root}migrations/directory`),
          },
        },
      },
    })),
  ],
  test: {
    include: ["test/bench/**/*.bench.ts"],
    setupFiles: ["test/support/worker-setup.ts"],
    testTimeout: 3_600_000,
    isolate: false,
  },
});
