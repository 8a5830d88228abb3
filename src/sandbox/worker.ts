/** Entry of the Worker: one Durable Object holds all that the sandbox knows. */
import { DurableObject } from "cloudflare:workers";
import { createAuthority } from "./authority.ts";
import { controlSchema } from "./behaviour/control.ts";
import { createTables, type Database, type SqlValue } from "./store/database.ts";

export interface AuthorityEnv {
  readonly AUTHORITY: DurableObjectNamespace<SandboxAuthority>;
  /** The default control, as JSON. */
  readonly INITIAL_CONTROL: string;
}

export class SandboxAuthority extends DurableObject<AuthorityEnv> {
  readonly #answer: (request: Request) => Promise<Response>;

  constructor(ctx: DurableObjectState, env: AuthorityEnv) {
    super(ctx, env);
    const database = databaseOf(ctx.storage);
    createTables(database);
    this.#answer = createAuthority({
      database,
      now: () => Date.now(),
      wait: (milliseconds) => scheduler.wait(milliseconds),
      brokenBody,
      initialControl: controlSchema.parse(JSON.parse(env.INITIAL_CONTROL)),
    });
  }

  override fetch(request: Request): Promise<Response> {
    return this.#answer(request);
  }
}

function databaseOf(storage: DurableObjectStorage): Database {
  return {
    all: (sql, ...values) => storage.sql.exec<Record<string, SqlValue>>(sql, ...values).toArray(),
    transaction: (work) => storage.transactionSync(work),
  };
}

/** Only a body that is shorter than announced makes the local runtime cut the connection. */
function brokenBody(sent: Uint8Array): ReadableStream {
  const { readable, writable } = new FixedLengthStream(sent.length + 1);
  const writer = writable.getWriter();
  const cut = async () => {
    await writer.write(sent);
    await writer.abort(new Error("the connection is closed"));
  };
  cut().catch(() => undefined);
  return readable;
}

export default {
  fetch(request, env) {
    return env.AUTHORITY.getByName("authority").fetch(request);
  },
} satisfies ExportedHandler<AuthorityEnv>;
