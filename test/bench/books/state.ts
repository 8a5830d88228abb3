/** A STATE_DIR with a company of so many invoices and orders in it: `npm start` opens it, and so does `scale.ts`. */
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type SeedEnv, seedDemo } from "../../../src/dev/seed.ts";
import { beginFirstStart, type LocalState, openState, writeSeedNote } from "../../../src/dev/state.ts";
import { migrateLocalDatabases, withLocalDatabases } from "../../../src/ops/local-databases.ts";
import type { SubmissionDeployment } from "../../../src/wiring-submission.ts";
import { apiOver } from "../../support/worlds/deployment.ts";
import { type FileDatabase, fileDatabase } from "../../support/worlds/sqlite-d1.ts";
import { chanceOf } from "./chance.ts";
import { booksOf, consentSince, LEDGER, type OpenedConnection, openCompany, openOne } from "./company.ts";
import { runCourse } from "./course.ts";

export interface ScalePlan {
  readonly invoices: number;
  readonly orders: number;
  readonly seed: number;
}

/** `scale.json` in the state: its size and its keys. */
export interface ScaleState {
  readonly dir: string;
  readonly plan: ScalePlan;
  readonly accountId: string;
  /** With nearly everything in it. */
  readonly busy: OpenedConnection;
  /** Without consent: a quarter of the orders wait there. */
  readonly waiting: OpenedConnection;
  /** A company of the demo: another account in the same ledger, almost empty. */
  readonly neighbour: OpenedConnection;
  readonly owner: { readonly email: string; readonly password: string };
  readonly madeWithinSeconds: number;
  /** Size of the messages to the authority. */
  readonly messages: { readonly messages: number; readonly bytes: number };
}

const OPENED_ON = "2024-01-01";
const DAY_MS = 86_400_000;

/** Makes the state unless it exists. */
export async function scaleState(dir: string, plan: ScalePlan): Promise<ScaleState> {
  const note = join(dir, "scale.json");
  if (existsSync(note)) return { ...JSON.parse(readFileSync(note, "utf8")), dir };
  const made = await makeState(dir, plan);
  writeFileSync(note, JSON.stringify(made, null, 2));
  return made;
}

async function makeState(dir: string, plan: ScalePlan): Promise<ScaleState> {
  const startedAt = performance.now();
  const state = await migratedState(dir);
  const chance = chanceOf(plan.seed);
  const clock = { now: Date.parse(`${OPENED_ON}T08:00:00Z`) };
  const [apiKeySecret = ""] = state.apiKeySecrets.split(",");
  const opened = await withLocalDatabases<SeedEnv, Opened>(state, async (env) => {
    const demo = await seedDemo(env, { apiKeySecrets: state.apiKeySecrets, now: Date.now() });
    writeSeedNote(state, { ...demo, issued: true });
    const deps = { d1: env.LEDGER_000, directory: env.DIRECTORY, apiKeySecret, clock, chance };
    const accountId = await openCompany(deps);
    const busy = await openOne(accountId, "ERP", deps);
    const waiting = await openOne(accountId, "Tienda", deps);
    const neighbour = demo.connections.api;
    return { accountId, busy, waiting, neighbour, owner: demo.owner, deployment: withoutDatabases(env) };
  });
  const { deployment, ...names } = opened;
  const file = fileDatabase(ledgerFileOf(dir, names.busy.id));
  const deps = { d1: file.d1, directory: file.d1, apiKeySecret, clock, chance };
  const [busy, waiting] = [booksOf(names.busy, deps, deployment), booksOf(names.waiting, deps, deployment)];
  await busy.act(consentSince(OPENED_ON, chance));
  const course = { from: clock.now + DAY_MS, to: Math.floor(Date.now() / DAY_MS) * DAY_MS };
  await runCourse({ ...plan, ...course }, { busy, waiting, clock, chance, tell: console.log });
  file.close();
  const madeWithinSeconds = Math.round((performance.now() - startedAt) / 1_000);
  return { dir, plan, ...names, madeWithinSeconds, messages: busy.authority.sent };
}

/** Databases with the schema and nothing in them: migrated once for all states of a folder. */
export async function migratedState(dir: string): Promise<LocalState> {
  const base = join(dirname(dir), "migrated");
  if (!existsSync(base)) {
    const state = openState(base);
    beginFirstStart(state);
    await migrateLocalDatabases(state);
  }
  cpSync(base, dir, { recursive: true });
  return openState(dir);
}

type Opened = Omit<ScaleState, "dir" | "plan" | "madeWithinSeconds" | "messages"> & {
  readonly deployment: SubmissionDeployment;
};

/** Without the databases, which are closed when the proxy is. */
export function withoutDatabases(env: SeedEnv): SubmissionDeployment {
  const { config, EVIDENCE } = apiOver(env);
  return { config, EVIDENCE };
}

/** The database of the ledger that the connection lives in, as wrangler names it. */
export function ledgerFileOf(dir: string, connectionId: string): string {
  const folder = join(dir, "wrangler/v3/d1/miniflare-D1DatabaseObject");
  const path = readdirSync(folder)
    .filter((name) => name.endsWith(".sqlite") && name !== "metadata.sqlite")
    .map((name) => join(folder, name))
    .find((candidate) => holds(candidate, connectionId));
  if (path === undefined) throw new Error(`no ledger ${LEDGER} in ${folder}`);
  return path;
}

function holds(path: string, connectionId: string): boolean {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const [table] = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'record'").all();
    if (!table) return false;
    return database.prepare("SELECT 1 FROM connection WHERE id = ?").get(connectionId) !== undefined;
  } finally {
    database.close();
  }
}

/** Reads the files while no process has the product open. */
export function openLedgerFile({ dir, busy }: Pick<ScaleState, "dir" | "busy">): FileDatabase {
  return fileDatabase(ledgerFileOf(dir, busy.id));
}
