import { Checkbox } from "@mantine/core";
import { Link, useNavigate } from "react-router";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import styles from "../../parts/parts.module.css";
import { orderTone, StateMark } from "../../parts/state-mark.tsx";
import { date, money } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import own from "./orders.module.css";
import type { Listed } from "./queries.ts";
import { nameOf, shopOf, stateWord } from "./shown.ts";

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
