import type { BoundedKind, KnownIds, LedgerState, ShopBatch, ShopStatus } from "../../db/ledger-state.ts";
import { afterInventory, type SetupState, type ShopRefusal } from "../../domain/connection/setup.ts";
import { refuse } from "../../domain/invoice/refusal.ts";
import { LEFT_BEHIND } from "../../domain/limits.ts";
import {
  lastOfEach,
  type ReportedClient,
  type ReportedInventory,
  type ReportedModule,
  type ReportedStatus,
} from "../../domain/order/normalize-upserts.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { assertNever, ok, type Result } from "../../domain/shared/result.ts";
import type { LedgerCache } from "../core/ledger-cache.ts";
import type { GateRefusal } from "../core/outcomes.ts";
import type { Settler, Tries } from "../core/settle.ts";

/** A connector's report about its shop, other than orders. */
export type ShopReport =
  | { readonly resource: "client"; readonly client: ReportedClient }
  | { readonly resource: "status"; readonly statuses: readonly ReportedStatus[] }
  | { readonly resource: "inventory"; readonly inventory: ReportedInventory }
  | { readonly resource: "module"; readonly module: ReportedModule };

interface Upserted {
  readonly created: number;
  readonly updated: number;
}

export type ShopOutcome =
  | ({ readonly outcome: "recorded"; readonly standing: ShopStatus } & Upserted)
  | { readonly outcome: "refused"; readonly refusal: ShopRefusal }
  | GateRefusal;

/** A report of a module without any member is a read. */
export function isQueryOnly(report: ShopReport): boolean {
  return report.resource === "module" && Object.keys(report.module).length === 0;
}

/** One batch for a whole group. If several reports have the same row, the last one counts. */
export function shopBatchOf(reports: readonly ShopReport[], setup: SetupState, at: Instant): ShopBatch {
  const clients = reports.flatMap((report) => (report.resource === "client" ? [report.client] : []));
  const statuses = reports.flatMap((report) => (report.resource === "status" ? report.statuses : []));
  const modules = reports.flatMap((report) => (report.resource === "module" ? [report.module] : []));
  const inventories = reports.flatMap((report) =>
    report.resource === "inventory" ? [report.inventory] : [],
  );
  const latest = inventories.at(-1);
  const setupState = latest ? afterInventory(setup) : setup;
  return {
    at,
    clients: lastOfEach(clients, ({ idExternal }) => idExternal),
    statuses: lastOfEach(statuses, ({ idExternal }) => idExternal),
    stores: lastOfEach(
      inventories.flatMap(({ stores }) => stores),
      ({ id }) => id,
    ),
    ...(latest ? { inventory: ordersTotalOf(latest) } : {}),
    ...(modules.length > 0 ? { module: mergedModule(modules) } : {}),
    ...(setupState === setup ? {} : { setupState }),
  };
}

/**
 * Counts the rows that each report of a group created, as if the reports had come one after the other. Known
 * rows change and rows that fit are kept; a report is refused if some of its rows did not fit.
 */
export function upsertsInOrder(
  reports: readonly ShopReport[],
  batch: ShopBatch,
  known: KnownIds,
): Result<Upserted, ShopRefusal>[] {
  const knownIds = {
    client: new Set(known.clients),
    status: new Set(known.statuses),
    inventory: new Set(known.stores),
    module: new Set<string>(),
  };
  const statuses = batch.statuses.map(({ idExternal }) => idExternal);
  const stores = batch.stores.map(({ id }) => id);
  const left = { status: leftOut(statuses, known, "statuses"), inventory: leftOut(stores, known, "stores") };
  return reports.map((report) => {
    const ids = idsOf(report);
    const there = knownIds[report.resource];
    const created = ids.filter((id) => !there.has(id)).length;
    for (const id of ids) there.add(id);
    if (report.resource === "status" || report.resource === "inventory") {
      const notKept = ids.filter((id) => left[report.resource].has(id));
      if (notKept.length > 0) return full(BOUNDED[report.resource], notKept);
    }
    return ok({ created, updated: ids.length - created });
  });
}

const BOUNDED = { status: "statuses", inventory: "stores" } as const;

/** The refusal names only the first few. */
const NAMED = 5;

function full(kind: BoundedKind, notKept: readonly string[]) {
  const named = notKept.slice(0, NAMED).join(", ");
  const ids = notKept.length > NAMED ? `${named}, ...` : named;
  return refuse("inventory_full", { limit: String(LEFT_BEHIND[kind]), count: String(notKept.length), ids });
}

/** New ids that exceed the free room, in the order in which they are written. */
function leftOut(ids: readonly string[], known: KnownIds, kind: BoundedKind): ReadonlySet<string> {
  const there = new Set(known[kind]);
  const room = Math.max(0, LEFT_BEHIND[kind] - known.counts[kind]);
  return new Set(ids.filter((id) => !there.has(id)).slice(room));
}

function idsOf(report: ShopReport): readonly string[] {
  switch (report.resource) {
    case "client":
      return [report.client.idExternal];
    case "status":
      return report.statuses.map(({ idExternal }) => idExternal);
    case "inventory":
      return report.inventory.stores.map(({ id }) => id);
    case "module":
      return [];
    default:
      return assertNever(report);
  }
}

function ordersTotalOf({ ordersTotal }: ReportedInventory): NonNullable<ShopBatch["inventory"]> {
  return ordersTotal === undefined ? {} : { ordersTotal };
}

/** A member that a later report of the module omits keeps its value. */
function mergedModule(modules: readonly ReportedModule[]): ReportedModule {
  return Object.assign({}, ...modules);
}

interface ShopDeps {
  readonly cache: LedgerCache;
  readonly now: () => Instant;
}

/**
 * Shop reports are upserts: a batch without an answer is sent again, even if it was committed. Only its
 * counts then show that the rows existed.
 */
export function shopSettler(deps: ShopDeps): Settler<ShopReport, ShopOutcome, Tries> {
  const { cache } = deps;
  return {
    begin: () => ({ lost: 0, brokenLinks: 0 }),
    open: async () => {
      if (!cache.books) await cache.load();
    },
    attempt: async (reports, tried) => {
      if (reports.length === 0) return [];
      const books = cache.usableState();
      const batch = shopBatchOf(reports, books.admission.setup.state, deps.now());
      const settled = await cache.recordShop(batch, books);
      if (settled.result === "lost") tried.lost += 1;
      if (settled.result !== "committed") return undefined;
      const { settings, admission } = books;
      const { access } = admission;
      const status = { setup: setupAfter(batch, books), consented: settings.consented, access };
      return upsertsInOrder(reports, batch, settled.known).map((upsert) =>
        upsert.ok
          ? { outcome: "recorded", ...upsert.value, standing: status }
          : { outcome: "refused", refusal: upsert.error },
      );
    },
  };
}

function setupAfter({ setupState: state }: ShopBatch, { admission }: LedgerState) {
  return state === undefined ? admission.setup : { ...admission.setup, state };
}
