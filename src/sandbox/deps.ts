import type { Control } from "./behaviour/control.ts";
import type { Database } from "./store/database.ts";

/** What the sandbox needs of the place where it runs: workerd, or a test in Node. */
export interface AuthorityDeps {
  readonly database: Database;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly wait: (milliseconds: number) => Promise<void>;
  /** A body that breaks off behind `sent`, for the client as if the connection had been lost. */
  readonly brokenBody: (sent: Uint8Array) => ReadableStream;
  /** How it behaves until somebody tells it otherwise. */
  readonly initialControl: Control;
}
