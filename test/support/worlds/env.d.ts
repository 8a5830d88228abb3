import type { D1Migration } from "cloudflare:test";
import type { ApiEnv, OwnerEnv } from "../../../src/env.ts";
import type { SandboxAuthority } from "../../../src/sandbox/worker.ts";

declare global {
  namespace Cloudflare {
    /** `env` of `cloudflare:workers` in the workers suite. */
    interface Env extends ApiEnv, OwnerEnv {
      readonly AUTHORITY: DurableObjectNamespace<SandboxAuthority>;
      /** JSON: how many requests are made at random, and by which seed. */
      readonly FUZZ: string;
      /** Puts a copy of the migrated files in the place of the databases. */
      readonly FRESH_DATABASES: Fetcher;
      /** A D1 database without tables. */
      readonly UNMIGRATED: D1Database;
      readonly TEST_MIGRATIONS: { readonly ledger: D1Migration[]; readonly directory: D1Migration[] };
    }
    interface GlobalProps {
      mainModule: typeof import("./test-worker.ts");
      durableNamespaces: "ConnectionLedger" | "SandboxAuthority";
    }
  }
}
