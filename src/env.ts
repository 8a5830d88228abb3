import type { ConnectionLedger } from "./ledger/connection-ledger.ts";

/** Bindings as wrangler.toml declares them. Every ledger binding is called `LEDGER_` and its number. */
export interface Env {
  readonly LEDGER_000: D1Database;
  readonly LEDGER_001: D1Database;
  readonly DIRECTORY: D1Database;
  readonly VIEWER_TOKENS: KVNamespace;
  readonly EVIDENCE: R2Bucket;
  readonly CONNECTION_LEDGER: DurableObjectNamespace<ConnectionLedger>;
  readonly FAILED_AUTHENTICATION_LIMIT: RateLimit;
  readonly AEAT_ENVIRONMENT: string;
  readonly SOFTWARE: string;
  readonly CONSOLE_URL: string;
  readonly JURISDICTION: string;
  readonly DEFAULT_RATE_LIMIT: string;
  /** The folder of the ECB's files. */
  readonly ECB_BASE_URL: string;
  /** Secret: comma-separated, the first signs new keys, all of them verify. */
  readonly API_KEY_SECRETS: string;
}
