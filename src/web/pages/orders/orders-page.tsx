import { Button, Card } from "@mantine/core";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { Checkbox } from "../../parts/choices.tsx";
import { amongIds, isDay, isMonth, isPlace, lastDay, oneOf } from "../../parts/filters/known.ts";
import { useRefusedParams } from "../../parts/filters/known-params.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { Pager } from "../../parts/pager.tsx";
import partStyles from "../../parts/parts.module.css";
import styles from "../../parts/parts.module.css";
import { orderTone, StateMark } from "../../parts/state-mark.tsx";
import { Empty, ErrorCard, Loading } from "../../parts/states.tsx";
import { count, date, money } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import { useAddress, withoutEmpty } from "./address.ts";
import { ManyOutcome, useMany } from "./many.tsx";
import { OrderFilters, SetOrderFilters } from "./order-filters.tsx";
import own from "./orders.module.css";
import {
  type Listed,
  type OrdersFilter,
  useCurrentPlaces,
  useFoundOrders,
  useOrders,
  useOrdersCount,
} from "./queries.ts";
import { nameOf, ORDER_STATES, shopOf, stateWord } from "./shown.ts";

/** Pedidos: everything that the shops have sent. */
export function OrdersPage() {
  const say = useWords();
  const places = useCurrentPlaces();
  const address = useAddress({
    ...{ state: oneOf(ORDER_STATES), month: isMonth, from: isDay, to: lastDay("from"), cursor: isPlace },
    connection: amongIds(places?.connections),
    // Of more stores than these the list knows nothing.
    store: (value) => places?.stores.some(({ storeId }) => storeId === value) || places?.hasMoreStores,
  });
  return (
    <>
      <PageHead title={say("nav.orders")} />
      <OrderFilters address={address} />
      <SetOrderFilters address={address} />
      <OrdersCard address={address} />
    </>
  );
}

const NAMES = ["state", "connection", "store", "month", "from", "to", "cursor"] as const;
/** The members of the address by their names in the API, which are the same. */
const PARAMS = Object.fromEntries([...NAMES, "text"].map((name) => [name, name]));

/** Searched by name, or filtered by state. */
function useOrderLists(address: ReturnType<typeof useAddress>) {
  const text = address.value("text");
  const filter = withoutEmpty(Object.fromEntries(NAMES.map((name) => [name, address.value(name)])));
  // The API checks the values in the address.
  const listed = useOrders(filter as OrdersFilter, text === "");
  const counted = useOrdersCount(filter as OrdersFilter, text === "");
  const found = useFoundOrders(text);
  const isFiltered = text !== "" || Object.keys(filter).length > 0;
  const refused = useRefusedParams(text === "" ? listed.error : found.error, PARAMS);
  return {
    refused,
    listed,
    counted: text === "" ? counted.data : undefined,
    found,
    isSearch: text !== "",
    isFiltered,
  };
}

function OrdersCard({ address }: { readonly address: ReturnType<typeof useAddress> }) {
  const say = useWords();
  const { refused, listed, counted, found, isSearch, isFiltered } = useOrderLists(address);
  const shown = isSearch ? found : listed;
  if (refused) return <Loading rows={6} />;
  if (shown.isLoadingError) return <ErrorCard error={shown.error} retry={() => void shown.refetch()} />;
  if (!shown.data) return <Loading rows={6} />;
  const { items } = shown.data;
  if (items.length === 0) return <NoOrders isFiltered={isFiltered} clear={address.clear} />;
  return (
    <>
      {counted && <Counts states={counted.states} />}
      <Card>
        <TickedOrders orders={items} />
        {isSearch
          ? found.data?.hasMore && <p className={`${partStyles.pager} muted`}>{say("orders.found.more")}</p>
          : listed.data && <Pager {...listed.data} go={address.go} />}
      </Card>
    </>
  );
}

type Counted = NonNullable<ReturnType<typeof useOrdersCount>["data"]>["states"];

/** The number of filtered orders, by state. */
function Counts({ states }: { readonly states: Counted }) {
  const say = useWords();
  const all = states.reduce((sum, { orders }) => sum + orders, 0);
  const known = (orders: number, hasMore: boolean) =>
    hasMore ? say("orders.count.more", { n: count(orders) }) : count(orders);
  return (
    <p className={own.counts} role="status">
      <span>
        <b>
          {known(
            all,
            states.some(({ hasMore }) => hasMore),
          )}
        </b>{" "}
        {say("orders.count", { n: all })}
      </span>
      {states.length > 1 &&
        ORDER_STATES.flatMap((state) => states.filter((one) => one.state === state)).map(
          ({ state, orders, hasMore }) => (
            <span key={state}>
              {stateWord(state, say)} <b>{known(orders, hasMore)}</b>
            </span>
          ),
        )}
    </p>
  );
}

function NoOrders({ isFiltered, clear }: { readonly isFiltered: boolean; readonly clear: () => void }) {
  const say = useWords();
  const { account } = useCompany();
  return (
    <Card>
      {isFiltered ? (
        <Empty text={say("orders.none")}>
          <Button variant="default" onClick={clear}>
            {say("clear_filters")}
          </Button>
        </Empty>
      ) : (
        <Empty text={say("orders.empty")}>
          <Button component={Link} to={paths.connections(account.id)} variant="default">
            {say("orders.connect")}
          </Button>
        </Empty>
      )}
    </Card>
  );
}

/** Orders of before the start date can be brought back, one or many. */
function TickedOrders({ orders }: { readonly orders: readonly Listed[] }) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const many = useMany(() => setTicked(new Set()));
  const key = ({ connectionId, orderId }: Listed) => `${connectionId} ${orderId}`;
  const chosen = orders.filter((order) => ticked.has(key(order)));
  const ticking = {
    isTicked: (order: Listed) => ticked.has(key(order)),
    canTick: (order: Listed) => !isReadOnly && order.state === "before_cutoff",
    tick: (order: Listed) =>
      setTicked(
        (before) =>
          new Set(
            [...before]
              .filter((one) => one !== key(order))
              .concat(before.has(key(order)) ? [] : [key(order)]),
          ),
      ),
  };
  return (
    <>
      <ManyOutcome outcomes={many.data?.outcomes ?? []} />
      {chosen.length > 0 && (
        <div className={partStyles.dock}>
          <span>{say("orders.selected", { n: chosen.length })}</span>
          <span className="end">
            <Button
              size="xs"
              loading={many.isPending}
              onClick={() => many.mutate({ orders: chosen.map(placeOf), answer: { answer: "release" } })}
            >
              {say("orders.release_many", { n: chosen.length })}
            </Button>
          </span>
        </div>
      )}
      <OrderRows orders={orders} ticking={ticking} />
    </>
  );
}

function placeOf({ connectionId, orderId }: Listed) {
  return { connection: connectionId, order: orderId };
}

export interface Ticking {
  readonly isTicked: (order: Listed) => boolean;
  readonly canTick: (order: Listed) => boolean;
  readonly tick: (order: Listed) => void;
}

interface OrderRowsProps {
  readonly orders: readonly Listed[];
  readonly ticking: Ticking;
}

/** A table where there is room for one, a list where there is not. */
export function OrderRows({ orders, ticking }: OrderRowsProps) {
  return (
    <>
      <div className={styles.folds}>
        <OrderTable orders={orders} ticking={ticking} />
      </div>
      <OrderList orders={orders} ticking={ticking} />
    </>
  );
}

function OrderTable({ orders, ticking }: OrderRowsProps) {
  const say = useWords();
  const { account } = useCompany();
  const navigate = useNavigate();
  return (
    <table className={styles.table}>
      <caption className="hidden">{say("nav.orders")}</caption>
      <thead>
        <tr>
          <th scope="col">{say("orders.columns.order")}</th>
          <th scope="col">{say("orders.columns.date")}</th>
          <th scope="col">{say("orders.columns.customer")}</th>
          <th scope="col">{say("orders.columns.state")}</th>
          <th scope="col">{say("orders.columns.documents")}</th>
          <th scope="col" data-num>
            {say("orders.columns.total")}
          </th>
        </tr>
      </thead>
      <tbody>
        {orders.map((order) => {
          const to = paths.order(account.id, order.connectionId, order.orderId);
          return (
            <tr key={`${order.connectionId} ${order.orderId}`} data-link onClick={() => navigate(to)}>
              <td>
                <span className={own.first}>
                  <Tick order={order} ticking={ticking} />
                  <span>
                    <Link to={to}>{nameOf(order)}</Link>
                    <span className={styles.second}>{shopOf(order)}</span>
                  </span>
                </span>
              </td>
              <td className="nowrap">{date(order.orderedAt, account.timeZone)}</td>
              <td>{order.customer ?? say("orders.unidentified")}</td>
              <td className={own.state}>
                <OrderState order={order} />
              </td>
              <td>
                <Documents order={order} />
              </td>
              <td className="num">{money(order.total, order.currency)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function OrderList({ orders, ticking }: OrderRowsProps) {
  const say = useWords();
  const { account } = useCompany();
  return (
    <ul className={styles.list}>
      {orders.map((order) => (
        <li key={`${order.connectionId} ${order.orderId}`}>
          <span className={styles.line}>
            <span className={own.first}>
              <Tick order={order} ticking={ticking} />
              <Link to={paths.order(account.id, order.connectionId, order.orderId)}>{nameOf(order)}</Link>
            </span>
            <span className={`${styles.fixed} num`}>{money(order.total, order.currency)}</span>
          </span>
          <span className={`${styles.line} small muted`}>
            <span>{order.customer ?? say("orders.unidentified")}</span>
            <span className={styles.fixed}>{date(order.orderedAt, account.timeZone)}</span>
          </span>
          <span className="small">
            <OrderState order={order} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function Tick({ order, ticking }: { readonly order: Listed; readonly ticking: Ticking }) {
  const say = useWords();
  if (!ticking.canTick(order)) return null;
  return (
    <Checkbox
      size="xs"
      checked={ticking.isTicked(order)}
      onChange={() => ticking.tick(order)}
      onClick={(event) => event.stopPropagation()}
      aria-label={say("orders.tick", { order: nameOf(order) })}
    />
  );
}

function OrderState({ order }: { readonly order: Listed }) {
  const say = useWords();
  return <StateMark tone={orderTone(order.state)}>{stateWord(order.state, say)}</StateMark>;
}

function Documents({ order }: { readonly order: Listed }) {
  const say = useWords();
  const { account } = useCompany();
  if (order.documents.length === 0) return <span className="muted">—</span>;
  return (
    <ul className={own.documents}>
      {order.documents.map(({ id, fullNumber, test }) => (
        <li key={id}>
          <Link to={paths.invoice(account.id, id)} onClick={(event) => event.stopPropagation()}>
            {fullNumber}
          </Link>
          {test && <StateMark tone="none">{say("document.test")}</StateMark>}
        </li>
      ))}
      {order.hasMoreDocuments && <li className="muted">{say("orders.documents.more")}</li>}
    </ul>
  );
}
