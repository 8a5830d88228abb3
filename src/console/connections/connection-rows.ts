import { setupOf } from "../../db/books.ts";
import type { SeriesHead } from "../../db/ledger-state.ts";
import type { shopCallback } from "../../db/schema/orders.ts";
import { fromOwnJson } from "../../db/stored-json.ts";
import { civilDate } from "../../domain/shared/civil-date.ts";
import type {
  Activity,
  CallbackShown,
  ConnectionCard,
  ConnectionReading,
  ModuleShown,
  StoreShown,
} from "./connection-ports.ts";
import type {
  CardRow,
  ConnectionRow,
  ConsentRow,
  KeyRow,
  NumberedRow,
  StoreRow,
} from "./connection-reads.ts";

export function cardFrom(row: CardRow, numbered: readonly NumberedRow[]): ConnectionCard {
  const { id, kind, name, platform, consent, keys, newestKeyAt } = row;
  return {
    id,
    kind,
    name: name ?? "",
    ...(platform === null ? {} : { platform }),
    setup: setupOf(row),
    consent: consent === "given" || consent === "withdrawn" ? consent : "none",
    keys,
    ...(keys > 1 && newestKeyAt !== null ? { overlapBeganAt: newestKeyAt } : {}),
    activity: activityFrom(
      row,
      numbered.filter(({ connectionId }) => connectionId === id),
    ),
  };
}

interface Beside {
  readonly stores: readonly StoreRow[];
  readonly agreed: ConsentRow | undefined;
  readonly keys: readonly KeyRow[];
  readonly callback: typeof shopCallback.$inferSelect | undefined;
  readonly stems: readonly { readonly stem: string }[];
  readonly heads: readonly HeadRow[];
  readonly numbered: readonly NumberedRow[];
}

export function readingFrom(row: ConnectionRow, beside: Beside): ConnectionReading {
  const { chosenAt, orderStem, ordersTotal, inventoryAt, accessIsOn, switchedAt } = row;
  const module = moduleFrom(row);
  return {
    id: row.id,
    kind: row.kind,
    name: row.name ?? "",
    ordinal: row.ordinal ?? 0,
    installationOrdinal: row.installationOrdinal ?? 1,
    trial: row.trial === true,
    openedAt: row.openedAt ?? 0,
    ...(module ? { module } : {}),
    setup: setupOf(row),
    ...present({ chosenAt, orderStem }),
    ...(inventoryAt === null ? {} : { inventory: { receivedAt: inventoryAt, ...present({ ordersTotal }) } }),
    stores: beside.stores.map(storeFrom),
    ...(beside.agreed ? { consent: consentFrom(beside.agreed) } : {}),
    keys: beside.keys.map(({ id, createdAt, tail }) => ({ id, createdAt, ...present({ tail }) })),
    access: { isOn: accessIsOn !== 0, ...present({ switchedAt }) },
    ...(beside.callback ? { callback: callbackFrom(beside.callback) } : {}),
    profileStems: beside.stems.map(({ stem }) => stem),
    series: headsFrom(beside.heads),
    activity: activityFrom(row, beside.numbered),
  };
}

export interface HeadRow {
  readonly code: string;
  readonly number: number | null;
  readonly date: string | null;
}

/** A series row without an invoice cannot stand: it is written in the batch of its first number. */
export function headsFrom(rows: readonly HeadRow[]): readonly SeriesHead[] {
  return rows.flatMap(({ code, number, date }) =>
    number === null || date === null ? [] : [{ code, number, date: civilDate(date) }],
  );
}

type Present<Row extends object> = { readonly [Name in keyof Row]?: NonNullable<Row[Name]> };

/** Members without a value leave none behind. */
export function present<Row extends object>(row: Row): Present<Row> {
  // The type says that each member is there with a value, or not at all.
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Present<Row>;
}

function activityFrom(
  { lastOrderAt, orders }: Pick<CardRow, "lastOrderAt" | "orders">,
  numbered: readonly NumberedRow[],
): Activity {
  const invoices = numbered.reduce((sum, { last, before }) => sum + (last ?? 0) - before, 0);
  return { ...present({ lastOrderAt }), orders, invoices };
}

function moduleFrom(row: ConnectionRow): ModuleShown | undefined {
  const { platform, moduleVersion, contractVersion, moduleSeenAt: seenAt } = row;
  return seenAt === null ? undefined : { seenAt, ...present({ platform, moduleVersion, contractVersion }) };
}

function storeFrom({ id, ...row }: StoreRow): StoreShown {
  return { id, ...present(row) };
}

function consentFrom({ withdrawnAt, ...row }: ConsentRow) {
  return { ...row, ...present({ withdrawnAt }) };
}

function callbackFrom(row: typeof shopCallback.$inferSelect): CallbackShown {
  const { url, attempts, askedAt, dueAt: nextAt, lastAt, lastOutcome } = row;
  return {
    url,
    attempts,
    ...present({ askedAt, nextAt, lastAt }),
    ...(lastOutcome === null ? {} : { lastOutcome: fromOwnJson(lastOutcome) }),
  };
}
