import { availableParallelism } from "node:os";
import { dirname } from "node:path";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";
import { unstable_readConfig } from "wrangler";
import { fastFolder } from "./support/worlds/fast-folder.ts";
import { freshDatabasesBinding } from "./support/worlds/template-databases.ts";

const root = `${dirname(import.meta.dirname)}/`;

/** One Worker of the tests has the entries, and the values, of both. */
const ownerConfig = unstable_readConfig({ config: `${root}src/console/wrangler.toml` });
const apiConfig = unstable_readConfig({ config: `${root}wrangler.toml` });

process.env.TMPDIR = fastFolder();

/** How many requests, and which: `npm run prove:fuzz` makes many more. */
const fuzz = { requests: Number(process.env.REQUESTS || 600), seed: Number(process.env.SEED || 20_261_128) };

/** No test is about time: a machine that is busy with other things makes none of them fail. */
const PATIENCE = { testTimeout: 180_000, hookTimeout: 180_000 };

/** Unit, golden and property tests need no runtime: plain Node. */
const node = {
  test: {
    name: "node",
    ...PATIENCE,
    include: ["test/unit/**/*.test.ts", "test/golden/**/*.test.ts", "test/property/node/**/*.test.ts"],
    // Most of their time would go into loading the same modules for each file.
    isolate: false,
    maxWorkers: Math.max(2, availableParallelism() - 1),
    sequence: { groupOrder: 2 },
  },
};

/** Only the hash of passwords gets the quick one; its parameters stay as they are. */
const quickPasswords = {
  name: "quick-passwords",
  enforce: "pre" as const,
  transform(code: string, id: string) {
    if (!id.endsWith("/sign-in/passwords.ts")) return undefined;
    const quick = code.replace('from "node:crypto"', `from "${root}test/support/worlds/quick-scrypt.ts"`);
    if (quick === code) throw new Error(`${id} does not import node:crypto as expected`);
    return quick;
  },
};

const secrets = {
  API_KEY_SECRETS: "secret-of-the-tests,older-secret-of-the-tests",
  SESSION_SECRET: "session-secret-of-the-tests",
  VIEWER_TOKEN_SECRETS: "viewer-secret-of-the-tests,older-viewer-secret-of-the-tests",
  SHOP_SECRETS: "shop-secret-of-the-tests,older-shop-secret-of-the-tests",
};

/** The product over D1 alone, in plain Node: SQLite in memory and objects within the process. */
const ledger = {
  plugins: [quickPasswords],
  resolve: {
    alias: {
      "cloudflare:workers": `${root}test/support/worlds/node-runtime.ts`,
      "cloudflare:test": `${root}test/support/worlds/node-runtime.ts`,
    },
  },
  test: {
    ...node.test,
    name: "ledger",
    include: ["test/ledger/**/*.test.ts", "test/property/ledger/**/*.test.ts"],
    setupFiles: ["test/support/worlds/node-setup.ts"],
    provide: { variables: { ...apiConfig.vars, ...ownerConfig.vars, ...secrets } },
  },
};

/**
 * Tests of the runtime itself run in workerd: KV, R2, RPC, the end of an object, its alarms, rows that D1 counts. Two
 * processes share the files.
 */
const workers = {
  plugins: [
    quickPasswords,
    cloudflareTest(async () => ({
      main: `${root}test/support/worlds/test-worker.ts`,
      wrangler: { configPath: `${root}wrangler.toml` },
      miniflare: {
        serviceBindings: { FRESH_DATABASES: await freshDatabasesBinding(`${root}migrations`) },
        d1Databases: { UNMIGRATED: "unmigrated" },
        compatibilityFlags: ownerConfig.compatibility_flags,
        durableObjects: { AUTHORITY: { className: "SandboxAuthority", useSQLite: true } },
        bindings: {
          ...ownerConfig.vars,
          INITIAL_CONTROL: "{}",
          FUZZ: JSON.stringify(fuzz),
          ...secrets,
          TEST_MIGRATIONS: {
            ledger: await readD1Migrations(`${root}migrations/ledger`),
            directory: await readD1Migrations(`${root}migrations/directory`),
          },
        },
        // No test reaches the network.
        outboundService: (request: { url: string }) =>
          new Response(`unexpected request to ${request.url}`, { status: 599 }),
      },
    })),
  ],
  test: {
    name: "workers",
    ...PATIENCE,
    include: ["test/worker/**/*.test.ts"],
    isolate: false,
    maxWorkers: 2,
    sequence: { groupOrder: 1 },
    setupFiles: ["test/support/worlds/worker-setup.ts"],
  },
};

/** The real product in a real browser. */
const browser = {
  test: {
    name: "browser",
    globalSetup: ["test/support/browser/setup.ts"],
    include: process.env.CHROMIUM_PATH ? ["test/browser/**/*.test.ts"] : [],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // The data of a page may take as long as on a busy machine.
    expect: { poll: { timeout: 90_000 } },
    // Each process has a product and a browser of its own.
    maxWorkers: 2,
    isolate: false,
    sequence: { groupOrder: 3 },
  },
};

/** Reads all that the product logs. */
const logScan = `${root}test/support/log-scan/reporter.ts`;

// The log lines of the product are printed only with a failure.
export default defineConfig({
  root,
  test: {
    silent: "passed-only",
    reporters: ["default", logScan],
    projects: [node, ledger, workers, browser],
  },
});
