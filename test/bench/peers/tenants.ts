/** A state with some companies of one connection each, all in one ledger. */
import { cpSync } from "node:fs";
import { type SeedEnv, seedDemo } from "../../../src/dev/seed.ts";
import type { LocalState } from "../../../src/dev/state.ts";
import { withLocalDatabases } from "../../../src/ops/local-databases.ts";
import type { SubmissionDeployment } from "../../../src/wiring-submission.ts";
import { apiOver } from "../../support/worlds/deployment.ts";
import { chanceOf } from "../books/chance.ts";
import { booksOf, consentSince, type OpenedConnection, openCompany, openOne } from "../books/company.ts";
import { personNif } from "../books/people.ts";
import { migratedState, withoutDatabases } from "../books/state.ts";

export interface Tenants {
  readonly state: LocalState;
  readonly connections: readonly OpenedConnection[];
  readonly deployment: SubmissionDeployment;
  /** Of the demo's shop, if the state has the demo. */
  readonly shopKey?: string;
}

export async function openTenants(
  dir: string,
  count: number,
  { withDemo = false }: { readonly withDemo?: boolean } = {},
): Promise<Tenants> {
  const state = await migratedState(dir);
  const opened = await withLocalDatabases<SeedEnv, Omit<Tenants, "state">>(state, async (env) => {
    const demo = withDemo
      ? await seedDemo(env, { apiKeySecrets: state.apiKeySecrets, now: Date.now() })
      : undefined;
    const deps = {
      ...{ d1: env.LEDGER_000, directory: env.DIRECTORY },
      apiKeySecret: state.apiKeySecrets.split(",")[0] ?? "",
      ...{ clock: { now: Date.now() }, chance: chanceOf(count) },
    };
    const connections: OpenedConnection[] = [];
    for (let tenant = 0; tenant < count; tenant++) {
      const accountId = await openCompany(deps, {
        // The quota of one person would refuse so many companies.
        ...{ nif: personNif(tenant), ownerId: `owner-${tenant}` },
      });
      const connection = await openOne(accountId, "ERP", deps);
      await booksOf(connection, deps, apiOver(env)).act(consentSince("2026-01-01", deps.chance));
      connections.push(connection);
    }
    const deployment = withoutDatabases(env);
    return { connections, deployment, ...(demo ? { shopKey: demo.connections.commerce.key } : {}) };
  });
  return { state, ...opened };
}

/** The same companies again, for the design it is compared with. */
export function copyOf({ state, ...rest }: Tenants, dir: string): Tenants {
  cpSync(state.dir, dir, { recursive: true });
  const moved = (path: string) => path.replace(state.dir, dir);
  return {
    ...rest,
    state: { ...state, dir, databases: moved(state.databases), secretsFile: moved(state.secretsFile) },
  };
}
