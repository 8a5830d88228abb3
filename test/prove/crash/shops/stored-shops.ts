/** Deliveries, documents and backfills as the ledgers have them at the end, against every answer that was given. */
import Big from "big.js";
import { orderIdOf } from "../../../../src/domain/order/order-origin.ts";
import { groups, type Problem, problem, unless } from "../../../support/rules/book-rules.ts";
import { MISCOUNTED, type Miscounted, miscount } from "../../../support/rules/shop-rules.ts";
import { inEachLedger } from "../../ledger-files.ts";
import {
  type ConnectionName,
  type Course,
  DONE,
  memberOf,
  type OrderEnd,
  SHOP_CONNECTIONS,
  type ShopConnection,
  type Told,
} from "../call.ts";
import type { ConnectionBooks } from "../stored-books.ts";

export interface StoredDelivery {
  readonly connection_id: string;
  readonly delivery_id: string;
  readonly outcome: string;
  readonly order_id: string | null;
  readonly repeats: number;
}

export interface StoredShops {
  readonly deliveries: readonly StoredDelivery[];
  /** Counts by triggers that are not the number of their rows, in words. */
  readonly miscounted: readonly string[];
  /** Orders of all backfills, and those of them that are decided. */
  readonly backfilled: { readonly listed: number; readonly decided: number };
}

export function storedShops(stateDir: string): StoredShops {
  const deliveries = inEachLedger(
    stateDir,
    (rows) =>
      rows(
        "SELECT connection_id, delivery_id, outcome, order_id, repeats FROM shop_delivery",
      ) as unknown as readonly StoredDelivery[],
  );
  const miscounted = inEachLedger(stateDir, (rows) =>
    (rows(MISCOUNTED) as unknown as readonly Miscounted[]).map(miscount),
  );
  const backfilled = inEachLedger(stateDir, (rows) =>
    rows("SELECT count(*) AS listed, count(decided_at) AS decided FROM shop_backfill_order"),
  );
  const sum = (name: "listed" | "decided") => backfilled.reduce((all, row) => all + Number(row[name]), 0);
  return { deliveries, miscounted, backfilled: { listed: sum("listed"), decided: sum("decided") } };
}

export interface ShopContext {
  readonly courses: readonly Course[];
  readonly ids: Readonly<Record<ConnectionName, string>>;
  readonly books: readonly ConnectionBooks[];
}

export function shopProblems(
  told: readonly Told[],
  { deliveries, miscounted, backfilled }: StoredShops,
  { courses, ids, books }: ShopContext,
): Problem[] {
  const byId = new Map(books.map((own) => [own.connectionId, own]));
  return [
    ...SHOP_CONNECTIONS.flatMap((name) =>
      deliveryProblems(
        told.filter(({ call }) => call.connection === name),
        deliveries.filter((row) => row.connection_id === ids[name]),
        name,
      ),
    ),
    ...miscounted.map((what) => problem("contradiction", what)),
    ...backfillProblems(courses, backfilled),
    ...courses
      .flatMap(({ ends }) => ends)
      .flatMap((end) => invoicesProblems(end, byId.get(ids[end.connection]))),
  ];
}

/** Orders of before come by their backfill alone, and each of them that was listed is decided. */
function backfillProblems(
  courses: readonly Course[],
  { listed, decided }: StoredShops["backfilled"],
): Problem[] {
  const isBackfill = ({ steps }: Course) => steps.flat().some(({ kind }) => kind === "backfill");
  const wanted = courses.filter(isBackfill).flatMap(({ ends }) => ends).length;
  const isWhole = listed === wanted && decided === wanted;
  return unless(
    isWhole,
    "lost",
    `${listed} of ${wanted} orders of before are listed, ${decided} are decided`,
  );
}

/** Every delivery is there once, as it was answered, and with as many repeats as came. */
function deliveryProblems(
  told: readonly Told[],
  stored: readonly StoredDelivery[],
  name: ShopConnection,
): Problem[] {
  const delivered = told.filter(({ call, code }) => call.kind === "deliver" && code === DONE);
  const rows = new Map(stored.map((row) => [row.delivery_id, row]));
  const known = new Set(delivered.map(({ call }) => call.delivery?.id));
  const ofOutcome = name.endsWith("_posting") ? "decided" : "accepted";
  return [
    ...groups(delivered, ({ call }) => call.delivery?.id ?? "").flatMap(([id, own]) => {
      const row = rows.get(id);
      if (!row) return [problem("lost", `the delivery ${id} of ${name}`)];
      const outcomes = own.map(({ data }) => String(memberOf(data, "outcome")));
      const firsts = outcomes.filter((outcome) => outcome !== "duplicate");
      const repeats = outcomes.length - firsts.length;
      const sent = own.reduce((sum, { tries }) => sum + tries, 0);
      return [
        ...unless(firsts.length <= 1, "doubled", `${id} was answered ${outcomes.join()}`),
        ...unless(
          row.outcome === ofOutcome && firsts.every((outcome) => outcome === ofOutcome),
          "contradiction",
          `${id} of ${name} is ${row.outcome}, answered ${outcomes.join()}`,
        ),
        ...unless(row.order_id === own[0]?.call.about, "contradiction", `${id} is about ${row.order_id}`),
        ...unless(
          row.repeats >= repeats && row.repeats < sent,
          "contradiction",
          `${id} was sent ${sent} times, answered as a repeat ${repeats} times, and counts ${row.repeats}`,
        ),
      ];
    }),
    ...stored.flatMap(({ delivery_id: id }) =>
      unless(known.has(id), "contradiction", `nobody was told of the delivery ${id} of ${name}`),
    ),
  ];
}

/** The invoices that the facts of the shop give, and no other. */
function invoicesProblems({ idExternal, invoices }: OrderEnd, books: ConnectionBooks | undefined): Problem[] {
  if (!invoices) return [];
  const own = (books?.invoices ?? []).filter(({ origin }) => orderIdOf(origin) === idExternal);
  const total = own.reduce((sum, row) => sum.plus(row.total_eur), new Big(0));
  const isRight = own.length === invoices.count && total.eq(invoices.total);
  const kind = own.length < invoices.count ? "lost" : "doubled";
  const figures = `${own.length} invoices of ${total} in place of ${invoices.count} of ${invoices.total}`;
  return unless(isRight, kind, `the order ${idExternal} has ${figures}`);
}

/** What the shops did, for the figures. */
export function shopFigures(told: readonly Told[], { deliveries, backfilled }: StoredShops) {
  const delivered = told.filter(({ call, code }) => call.kind === "deliver" && code === DONE);
  const isOf = (outcome: string) => delivered.filter(({ data }) => memberOf(data, "outcome") === outcome);
  return {
    deliveries: deliveries.length,
    answered: {
      ...{ decided: isOf("decided").length, accepted: isOf("accepted").length },
      duplicate: isOf("duplicate").length,
    },
    refused_as_forged: told.filter(({ call }) => call.kind === "deliver_forged").length,
    changed_at_the_shop: told.filter(({ call }) => call.kind === "shop_changes").length,
    backfilled,
  };
}
