/** The operator's changes to a ledger around a restore, on any D1 database. */

import { OPERATOR } from "../../domain/connection/activity-areas.ts";
import { newId, type RandomBytes } from "../../domain/connection/ids.ts";
import { localTime } from "../../domain/shared/instant.ts";
import { literal } from "../remote-database.ts";
import { SetupError } from "../setup.mjs";
import type { Accounts } from "./restore-options.ts";

export interface FrozenAccount {
  readonly id: string;
  readonly frozen: number;
}

export async function accountsIn(db: D1Database, accounts: Accounts): Promise<readonly FrozenAccount[]> {
  const { results } = await db
    .prepare("SELECT id, frozen FROM account ORDER BY id")
    .bind()
    .all<FrozenAccount>();
  if (accounts === "all") return results;
  return accounts.map((id) => {
    const found = results.find((account) => account.id === id);
    if (!found) throw new SetupError(`There is no account ${id} in this ledger.`);
    return found;
  });
}

export interface LeftYear {
  readonly account_id: string;
  readonly year: number;
}

/** Years whose retirement began since, which a restore brings back. */
export async function yearsLeft(
  db: D1Database,
  accounts: readonly FrozenAccount[],
  since: number,
): Promise<readonly LeftYear[]> {
  const { results } = await db
    .prepare("SELECT account_id, year FROM retention_run WHERE begun_at >= ? ORDER BY account_id, year")
    .bind(since)
    .all<LeftYear>();
  return results.filter(({ account_id: id }) => accounts.some((account) => account.id === id));
}

/** The fence refuses every batch of a frozen account: 503, and neither submissions nor webhooks. */
export function freezing(accounts: readonly FrozenAccount[], frozen: 0 | 1): string[] {
  return accounts.map(({ id }) => `UPDATE account SET frozen = ${frozen} WHERE id = ${literal(id)}`);
}

export interface NewInstallationDeps {
  readonly ledger: string;
  readonly now: number;
  readonly random: RandomBytes;
}

interface OpenInstallation {
  readonly id: string;
  readonly account_id: string;
  readonly ordinal: number;
  readonly environment: string;
  readonly trial: number;
}

/**
 * Closes the chain of a connection and opens another with `PrimerRegistro`. Lost numbers are never reused,
 * because the new chain has its own series (RD 1007/2023; Orden HAC/1177/2024, art. 11, NumeroInstalacion).
 */
export async function newInstallation(
  db: D1Database,
  request: { readonly connectionId: string; readonly reason: string },
  { ledger, now, random }: NewInstallationDeps,
): Promise<string[]> {
  const { results } = await db
    .prepare(
      `SELECT id, account_id, ordinal, environment, trial FROM installation
        WHERE connection_id = ? AND closed_at IS NULL`,
    )
    .bind(request.connectionId)
    .all<OpenInstallation>();
  const [old] = results;
  if (!old)
    throw new SetupError(`There is no connection ${request.connectionId} with an open chain in this ledger.`);
  const id = newId("is", ledger, random);
  const number = `${request.connectionId}-${localTime(now, "Europe/Madrid").timestamp}`;
  const owner = [literal(old.account_id), literal(request.connectionId)];
  const facts = { closed: old.id, opened: id, reason: request.reason };
  return [
    `UPDATE installation SET closed_at = ${now} WHERE id = ${literal(old.id)} AND closed_at IS NULL`,
    `INSERT INTO installation (id, account_id, connection_id, ordinal, number, environment, trial,
        opened_at)
      SELECT ${literal(id)}, ${owner.join(", ")}, ${old.ordinal + 1}, ${literal(number)},
        ${literal(old.environment)}, ${old.trial}, ${now}
      WHERE NOT EXISTS (SELECT 1 FROM installation WHERE connection_id = ${owner[1]} AND closed_at IS NULL)`,
    `INSERT INTO audit_log (id, account_id, connection_id, user_id, at, verb, facts)
      VALUES (${literal(newId("al", ledger, random))}, ${owner.join(", ")}, ${literal(OPERATOR)}, ${now},
        'open_installation',
      ${literal(JSON.stringify(facts))})`,
  ];
}
