import { isLedgerNumber, type LedgerNumber, ledgerOf } from "../domain/connection/ids.ts";

/** The D1 databases of the configuration: `LEDGER_000`, `LEDGER_001`, ... */
export type Ledgers = ReadonlyMap<LedgerNumber, D1Database>;

const BINDING = /^LEDGER_([0-9A-Z]{3})$/;

export function ledgersOf(env: object): Ledgers {
  const ledgers = new Map<LedgerNumber, D1Database>();
  for (const [name, binding] of Object.entries(env)) {
    const number = ledgerOfBinding(name);
    if (number !== undefined) ledgers.set(number, asDatabase(binding));
  }
  return ledgers;
}

export function ledgerOfBinding(name: string): LedgerNumber | undefined {
  const number = BINDING.exec(name)?.[1]?.toLowerCase();
  return number !== undefined && isLedgerNumber(number) ? number : undefined;
}

export function bindingOfLedger(number: LedgerNumber): string {
  return `LEDGER_${number.toUpperCase()}`;
}

/** The database where the account of a connection lives; undefined for an id of no ledger of ours. */
export function ledgerForConnection(ledgers: Ledgers, connectionId: string): D1Database | undefined {
  const number = ledgerOf(connectionId, "cn");
  return number === undefined ? undefined : ledgers.get(number);
}

/** The configuration promises that a binding of this name is a D1 database; its type cannot be asked. */
function asDatabase(binding: unknown): D1Database {
  return binding as D1Database;
}
