import { Link, useNavigate } from "react-router";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { Checkbox } from "../../parts/choices.tsx";
import styles from "../../parts/parts.module.css";
import { StateMark } from "../../parts/state-mark.tsx";
import { date, money } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import own from "./orders.module.css";
import type { ReviewFilter, Waiting } from "./queries.ts";
import { nameOf, shopOf } from "./shown.ts";

interface ReviewRowsProps {
  readonly orders: readonly Waiting[];
  readonly filter: ReviewFilter;
  readonly ticking: {
    readonly isTicked: (order: Waiting) => boolean;
    readonly canTick: (order: Waiting) => boolean;
    readonly tick: (order: Waiting) => void;
  };
}

/** For orders without selection. */
export const NO_TICKS: ReviewRowsProps["ticking"] = {
  isTicked: () => false,
  canTick: () => false,
  tick: () => {},
};

/** A table where there is room for one, a list where there is not. */
export function ReviewRows(props: ReviewRowsProps) {
  return (
    <>
      <div className={styles.folds}>
        <ReviewTable {...props} />
      </div>
      <ReviewList {...props} />
    </>
  );
}

/** The filter goes into the order's address: the next order comes from the same list. */
function useAddressOf(filter: ReviewFilter) {
  const { account } = useCompany();
  const { cursor: _, ...kept } = filter;
  const query = new URLSearchParams(kept as Record<string, string>).toString();
  return ({ connectionId, orderId }: Waiting) =>
    `${paths.reviewOne(account.id, connectionId, orderId)}${query === "" ? "" : `?${query}`}`;
}

function ReviewTable({ orders, filter, ticking }: ReviewRowsProps) {
  const say = useWords();
  const navigate = useNavigate();
  const addressOf = useAddressOf(filter);
  return (
    <table className={`${styles.table} ${own.queue}`}>
      <caption className="hidden">{say("nav.review")}</caption>
      <thead>
        <tr>
          <th scope="col">{say("review.columns.order")}</th>
          <th scope="col">{say("review.columns.due")}</th>
          <th scope="col">{say("review.columns.reason")}</th>
          <th scope="col">{say("review.columns.store")}</th>
          <th scope="col" data-num>
            {say("review.columns.total")}
          </th>
        </tr>
      </thead>
      <tbody>
        {orders.map((order) => (
          <tr
            key={`${order.connectionId} ${order.orderId}`}
            data-link
            onClick={() => navigate(addressOf(order))}
          >
            <td>
              <span className={own.first}>
                <Tick order={order} ticking={ticking} />
                <span>
                  <Link to={addressOf(order)}>{nameOf(order)}</Link>
                  <span className={styles.second}>{order.customer ?? say("orders.unidentified")}</span>
                </span>
              </span>
            </td>
            <td className="nowrap">
              <Due order={order} />
            </td>
            <td>
              <Reason order={order} />
            </td>
            <td>
              {order.store ?? order.connection}
              {order.store && <span className={styles.second}>{order.connection}</span>}
            </td>
            <td className="num">{money(order.total, order.currency)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ReviewList({ orders, filter, ticking }: ReviewRowsProps) {
  const addressOf = useAddressOf(filter);
  return (
    <ul className={styles.list}>
      {orders.map((order) => (
        <li key={`${order.connectionId} ${order.orderId}`}>
          <span className={styles.line}>
            <span className={own.first}>
              <Tick order={order} ticking={ticking} />
              <Link to={addressOf(order)}>{nameOf(order)}</Link>
            </span>
            <span className={`${styles.fixed} num`}>{money(order.total, order.currency)}</span>
          </span>
          <span className="small">
            <Reason order={order} />
          </span>
          <span className={`${styles.line} small`}>
            <span className="muted">{shopOf(order)}</span>
            <span className={styles.fixed}>
              <Due order={order} />
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}

function Tick({ order, ticking }: Pick<ReviewRowsProps, "ticking"> & { readonly order: Waiting }) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  if (isReadOnly || ticking === NO_TICKS) return null;
  return (
    <Checkbox
      size="xs"
      disabled={!ticking.canTick(order)}
      checked={ticking.isTicked(order)}
      onChange={() => ticking.tick(order)}
      onClick={(event) => event.stopPropagation()}
      aria-label={say("orders.tick", { order: nameOf(order) })}
    />
  );
}

function Due({ order }: { readonly order: Waiting }) {
  const say = useWords();
  if (!order.isOverdue) return <span>{date(order.dueDate)}</span>;
  return (
    <>
      <StateMark tone="decide">{date(order.dueDate)}</StateMark>
      <span className="hidden">{say("review.overdue.one")}</span>
    </>
  );
}

function Reason({ order }: { readonly order: Waiting }) {
  const say = useWords();
  return (
    <>
      {order.reason?.title}
      {order.moreReasons > 0 && (
        <span className={styles.second}>{say("review.more", { n: order.moreReasons })}</span>
      )}
    </>
  );
}
