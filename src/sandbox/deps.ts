import type { Control } from "./behaviour/control.ts";
import type { Database } from "./store/database.ts";

/** The dependencies on the platform: workerd, or a test in Node. */
export interface AuthorityDeps {
  readonly database: Database;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly wait: (milliseconds: number) => Promise<void>;
  /** A body that breaks off after `sent`; the client sees a lost connection. */
  readonly brokenBody: (sent: Uint8Array) => ReadableStream;
  /** The behaviour until it is changed. */
  readonly initialControl: Control;
}
