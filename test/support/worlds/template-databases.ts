/**
 * The databases of the workers suite, migrated once for each runtime: every test gets a copy of these files.
 * Migrating all three by D1 takes 490 statements, which was half of the suite's time.
 */
import { createHash, createHmac } from "node:crypto";
import { copyFileSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { readD1Migrations } from "@cloudflare/vitest-pool-workers";

type Kind = "ledger" | "directory";

/** The ids of the D1 databases of wrangler.toml. */
const DATABASES: Readonly<Record<string, Kind>> = {
  "00000000-0000-0000-0000-000000000000": "ledger",
  "00000000-0000-0000-0000-000000000001": "ledger",
  "00000000-0000-0000-0000-0000000000d1": "directory",
};

/** Miniflare's name of the object that holds each D1 database. */
const D1_OBJECT = "miniflare-D1DatabaseObject";
const SQLITE_EXTRAS = ["-wal", "-shm"];

/** The binding by which a test worker asks for fresh databases, once its own are out of memory. */
export async function freshDatabasesBinding(migrationsFolder: string) {
  const folder = mkdtempSync(join(tmpdir(), "cuadre-template-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const templates = {
    ledger: await migratedFile(folder, migrationsFolder, "ledger"),
    directory: await migratedFile(folder, migrationsFolder, "directory"),
  };
  let d1Folder: string | undefined;
  return ({ url }: { readonly url: string }) => {
    d1Folder ??= d1FolderOf(new URL(url).searchParams.get("mark") ?? "");
    for (const [id, kind] of Object.entries(DATABASES)) replace(join(d1Folder, fileOf(id)), templates[kind]);
    return new Response();
  };
}

async function migratedFile(folder: string, migrationsFolder: string, kind: Kind): Promise<string> {
  const path = join(folder, `${kind}.sqlite`);
  const database = new DatabaseSync(path);
  // The mode that the runtime switches to when it opens a file.
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF");
  database.exec("CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE)");
  for (const { name, queries } of await readD1Migrations(join(migrationsFolder, kind))) {
    for (const query of queries) database.exec(query);
    database.prepare("INSERT INTO d1_migrations (name) VALUES (?)").run(name);
  }
  database.close();
  return path;
}

/** An open database keeps the old file, so the worker asks afterwards which one it reads. */
function replace(path: string, template: string): void {
  for (const extra of SQLITE_EXTRAS) rmSync(`${path}${extra}`, { force: true });
  copyFileSync(template, `${path}.new`);
  renameSync(`${path}.new`, path);
}

/** Miniflare does not say where a runtime keeps its files, so the worker names an object that only it has. */
function d1FolderOf(mark: string): string {
  for (const name of readdirSync(tmpdir())) {
    const folder = join(tmpdir(), name);
    if (name.startsWith("miniflare-") && holds(join(folder, "do"), `${mark}.sqlite`)) {
      return join(folder, "d1", D1_OBJECT);
    }
  }
  throw new Error(`no runtime has the object ${mark}`);
}

function holds(folder: string, file: string): boolean {
  return existsSync(folder) && readdirSync(folder).some((name) => existsSync(join(folder, name, file)));
}

/** The object's id, which Miniflare derives from the name of its class and the id of the database. */
function fileOf(databaseId: string): string {
  const key = createHash("sha256").update(D1_OBJECT).digest();
  const name = createHmac("sha256", key).update(databaseId).digest().subarray(0, 16);
  const check = createHmac("sha256", key).update(name).digest().subarray(0, 16);
  return `${Buffer.concat([name, check]).toString("hex")}.sqlite`;
}
