/** Empties everything that the runtime keeps, and gives it migrated databases. */
import { reset, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";

const TRIES = 5;
let mark: string | undefined;

export async function freshDatabases(): Promise<void> {
  mark ??= await markRuntime();
  for (let tries = 1; tries <= TRIES; tries += 1) {
    await reset();
    const answer = await env.FRESH_DATABASES.fetch(`http://fresh/?mark=${mark}`);
    if (!answer.ok) throw new Error(`no fresh databases: ${await answer.text()}`);
    if (await areFresh()) return;
  }
  throw new Error("the databases are not the copies");
}

/** An object with a file that shows where this runtime keeps its databases. */
async function markRuntime(): Promise<string> {
  const id = env.AUTHORITY.newUniqueId();
  await runInDurableObject(env.AUTHORITY.get(id), (_, state) => state.storage.put("mark", true));
  return id.toString();
}

/** A late call of the test before may have opened a database before its file was copied: it has no tables. */
async function areFresh(): Promise<boolean> {
  const databases = [env.LEDGER_000, env.LEDGER_001, env.DIRECTORY];
  const counts = databases.map((database) => database.prepare("SELECT count(*) FROM d1_migrations").first());
  const settled = await Promise.allSettled(counts);
  return settled.every(({ status }) => status === "fulfilled");
}
