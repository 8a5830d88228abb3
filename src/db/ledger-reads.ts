import { sql } from "drizzle-orm";
import type { RateKey } from "../domain/exchange/reference-rate.ts";
import { selectIssued, selectShopfront, shopfrontFrom } from "./access/access-reads.ts";
import {
  booksOf,
  lookFrom,
  selectChainHead,
  selectKeys,
  selectProfiles,
  selectSeriesHeads,
  selectSettings,
  selectSettingsVersion,
  selectTagRules,
} from "./book-reads.ts";
import type { Database } from "./database.ts";
import { closingFence, fenceAbort } from "./fence.ts";
import {
  bothOrigins,
  citedByNumber,
  citedByOrigin,
  numberedInvoice,
  type Origins,
  originsAround,
  originsById,
  originsOf,
  originsOfOrders,
  partsOf,
  selectActing,
  selectActsOn,
  selectCorrections,
  selectInvoices,
  selectNumbered,
  selectRetiredOrigins,
  storedInvoices,
  theseOrigins,
} from "./invoices/invoice-reads.ts";
import { type Given, json, keptReads, place, shapedReads } from "./kept-reads.ts";
import type {
  DueOrders,
  DueWorkFound,
  ErasedBecause,
  FindResult,
  InvoiceLookup,
  LoadQuery,
  LoadResult,
  OrderStore,
  OrdersFound,
  OrdersQuery,
  OrdersRead,
} from "./ledger-state.ts";
import { selectNextMail } from "./mailing/mailing-reads.ts";
import {
  dueOrders,
  knownStatuses,
  type OrderIds,
  selectErased,
  selectOrderRates,
  selectOrderStatuses,
  selectOrders,
  storedOrder,
  theseOrders,
} from "./orders/order-reads.ts";
import { selectOpenJob } from "./orders/question-store.ts";
import { selectCallbackDueAt } from "./owner-store.ts";
import { rateFromRow } from "./rates/rate-store.ts";

// The places of values in the statements that are kept.
const CONNECTION = place("connectionId");
const THESE_ORDERS = theseOrders(place("orders"));
const DUE_ORDERS = dueOrders(CONNECTION, {
  ...{
    cutoffDate: place("cutoffDate"),
    today: place("today"),
    except: place("except"),
    limit: place("limit"),
  },
});

/** The lists of a lookup that add a query to it: those of a call are seldom more than one. */
type LookupShape = "" | `${"ids " | ""}${"replaced " | ""}${"numbers " | ""}`;

/** The cold load; with a fence it also closes a lost batch. */
export async function load(db: Database, connectionId: string, query: LoadQuery): Promise<LoadResult> {
  const given = { ...givenLookup(connectionId, query), ...givenOrders(query.orders) };
  const reads = loading(db, lookupShape(query), given);
  if (!query.closing) return loadedFrom(await db.batch(reads), connectionId);
  try {
    const [, ...rows] = await db.batch([closingFence(db, connectionId), ...reads]);
    return loadedFrom(rows, connectionId);
  } catch (error) {
    // It carries the settings of the same moment, so only a frozen account can make them stale.
    if (fenceAbort(error) === "stale_settings") return { result: "frozen" };
    throw error;
  }
}

const loading = shapedReads((db, shape: LookupShape) => {
  const both = bothOrigins(lookupOrigins(shape), originsOfOrders(CONNECTION, THESE_ORDERS));
  return [
    selectSettings(db, CONNECTION),
    selectKeys(db, CONNECTION),
    selectSeriesHeads(db, CONNECTION),
    selectChainHead(db, CONNECTION),
    selectProfiles(db, CONNECTION),
    selectTagRules(db, CONNECTION),
    ...invoiceReads(db, both),
    ...orderReads(db, THESE_ORDERS),
  ] as const;
});

function lookupShape({ invoiceIds = [], replacedOnes = [], numbers = [] }: InvoiceLookup): LookupShape {
  const isThere = (list: readonly unknown[]) => list.length > 0;
  return `${isThere(invoiceIds) ? "ids " : ""}${isThere(replacedOnes) ? "replaced " : ""}${
    isThere(numbers) ? "numbers " : ""
  }`;
}

function lookupOrigins(shape: LookupShape): Origins {
  const numbered = citedByNumber(CONNECTION, place("numbers"));
  const replaced = citedByOrigin(CONNECTION, place("replaced"));
  const all = [
    ...(shape.includes("ids") ? [originsById(CONNECTION, place("ids"))] : []),
    ...(shape.includes("replaced") ? [originsAround(CONNECTION, replaced)] : []),
    ...(shape.includes("numbers") ? [originsOf(numbered), originsAround(CONNECTION, numbered)] : []),
  ];
  return all.reduce(bothOrigins, theseOrigins(place("origins")));
}

function givenLookup(connectionId: string, lookup: InvoiceLookup): Given {
  const { origins, invoiceIds = [], replacedOnes = [], numbers = [] } = lookup;
  return {
    connectionId,
    origins: json(origins),
    ids: json(invoiceIds),
    replaced: json(replacedOnes),
    numbers: partsOf(numbers),
  };
}

function invoiceReads(db: Database, origins: Origins) {
  return [
    selectInvoices(db, CONNECTION, origins),
    selectCorrections(db, CONNECTION, origins),
    selectActing(db, CONNECTION, origins),
    selectActsOn(db, CONNECTION, origins),
    selectRetiredOrigins(db, CONNECTION, origins),
    selectNumbered(db, CONNECTION, place("numbers")),
  ] as const;
}

type Rows<Reads extends readonly unknown[]> = { -readonly [Index in keyof Reads]: Awaited<Reads[Index]> };

function loadedFrom(rows: Readonly<Rows<ReturnType<typeof loading>>>, connectionId: string): LoadResult {
  const [[settings], keys, series, [head], profiles, tagRules, ...found] = rows;
  if (!settings) return { result: "unknown_connection" };
  const [invoices, corrections, acting, actsOn, retiredOrigins, numbered, ...orders] = found;
  return {
    result: "loaded",
    books: booksOf({ settings, keys, series, head, profiles, tagRules }),
    invoices: storedInvoices({ invoices, corrections, acting, actsOn }),
    retiredOrigins,
    numbered: numbered.map((row) => numberedInvoice(row, connectionId)),
    ...ordersFrom(orders),
  };
}

export async function find(db: Database, connectionId: string, lookup: InvoiceLookup): Promise<FindResult> {
  const reads = finding(db, lookupShape(lookup), givenLookup(connectionId, lookup));
  const [[settings], invoices, corrections, acting, actsOn, retiredOrigins, numbered] = await db.batch(reads);
  return {
    settingsVersion: settings?.version,
    ...(settings ? lookFrom(settings) : {}),
    invoices: storedInvoices({ invoices, corrections, acting, actsOn }),
    retiredOrigins,
    numbered: numbered.map((row) => numberedInvoice(row, connectionId)),
  };
}

const finding = shapedReads(
  (db, shape: LookupShape) =>
    [selectSettingsVersion(db, CONNECTION), ...invoiceReads(db, lookupOrigins(shape))] as const,
);

/** The orders of one connection; every method is one round trip. */
export function orderStore(db: Database, connectionId: string): OrderStore {
  return {
    findOrders: async (query) =>
      ordersFound(await db.batch(findingOrders(db, "these", { connectionId, ...givenOrders(query) }))),
    findDueOrders: async (due) =>
      ordersFound(
        await db.batch(
          findingOrders(db, "due", { connectionId, ...givenOrders(NO_FACTS), ...givenDue(due) }),
        ),
      ),
    findDueWork: (due) => findDueWork(db, connectionId, due),
  };
}

const NO_FACTS: OrdersQuery = { ids: [], rates: [], statuses: [] };

function givenOrders(query: OrdersQuery): Given {
  return {
    orders: json(query.ids),
    rates: rateCells(query.rates),
    statuses: json(query.statuses),
    issuedOf: json(query.issuedOf ?? []),
    shopfront: Number(query.shopfront ?? false),
  };
}

function rateCells(keys: readonly RateKey[]): string {
  return json(keys.map(({ day, currency }) => [day, currency]));
}

function givenDue({ cutoffDate, today, except, limit }: DueOrders): Given {
  return { cutoffDate, today, except: json(except), limit };
}

/** The reads for deciding orders, for any batch. */
function orderReads(db: Database, ids: OrderIds) {
  return [
    selectOrders(db, CONNECTION, ids),
    selectOrderRates(db, CONNECTION, ids, place("rates")),
    selectOrderStatuses(db, CONNECTION, ids, place("statuses")),
    selectIssued(db, CONNECTION, place("issuedOf")),
    selectErased(db, CONNECTION, ids),
    ...selectShopfront(db, CONNECTION, place("shopfront")),
  ] as const;
}

function ordersFrom([orders, rates, statuses, issued, erased, origins, ofStores, stores]: Readonly<
  Rows<ReturnType<typeof orderReads>>
>): Omit<OrdersRead, "invoices"> {
  return {
    orders: orders.map(storedOrder),
    rates: rates.map(rateFromRow),
    statuses: knownStatuses(statuses),
    issued: issued.map(({ id }) => id),
    shopfront: shopfrontFrom(origins, ofStores, stores),
    // The schema checks the values of this column.
    erased: erased.map(({ because, ...of }) => ({ ...of, because: because as ErasedBecause })),
  };
}

const findingOrders = shapedReads((db, which: "these" | "due") => {
  const ids = which === "these" ? THESE_ORDERS : DUE_ORDERS;
  const origins = originsOfOrders(CONNECTION, ids);
  return [
    selectSettingsVersion(db, CONNECTION),
    selectInvoices(db, CONNECTION, origins),
    selectCorrections(db, CONNECTION, origins),
    selectActing(db, CONNECTION, origins),
    selectActsOn(db, CONNECTION, origins),
    ...orderReads(db, ids),
  ] as const;
});

function ordersFound(rows: Readonly<Rows<ReturnType<typeof findingOrders>>>): OrdersFound {
  const [[settings], invoices, corrections, acting, actsOn, ...orders] = rows;
  return {
    settingsVersion: settings?.version,
    ...(settings ? lookFrom(settings) : {}),
    ...ordersFrom(orders),
    invoices: storedInvoices({ invoices, corrections, acting, actsOn }),
  };
}

async function findDueWork(
  db: Database,
  connectionId: string,
  due: Pick<DueOrders, "cutoffDate" | "today">,
): Promise<DueWorkFound> {
  const given = { connectionId, ...givenDue({ ...due, except: [], limit: 1 }) };
  const [[settings], orders, [callback], [mail], jobs] = await db.batch(findingDueWork(db, given));
  return {
    settingsVersion: settings?.version,
    hasDueOrders: orders.length > 0,
    callbackDueAt: callback?.dueAt ?? undefined,
    mailDueAt: mail?.mailDueAt ?? undefined,
    hasQuestions: jobs.length > 0,
  };
}

const findingDueWork = keptReads(
  (db) =>
    [
      selectSettingsVersion(db, CONNECTION),
      db.select({ id: sql<string>`id` }).from(sql`(${DUE_ORDERS})`),
      selectCallbackDueAt(db, CONNECTION),
      selectNextMail(db, CONNECTION),
      selectOpenJob(db, CONNECTION, place("limit")),
    ] as const,
);
