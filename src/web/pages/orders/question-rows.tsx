import { Button } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { Checkbox } from "../../parts/choices.tsx";
import styles from "../../parts/parts.module.css";
import { StateMark } from "../../parts/state-mark.tsx";
import { count, date, dayIn, money } from "../../words/format.ts";
import { type Say, useWords } from "../../words/words.tsx";
import type { QuestionOrder } from "./question-calls.ts";
import own from "./questions.module.css";
import { nameOf } from "./shown.ts";

interface QuestionRowsProps {
  readonly orders: readonly QuestionOrder[];
  readonly except: readonly string[];
  readonly setExcept: (except: readonly string[]) => void;
}

const FIRST = 5;

/** The orders of a question, each with what the answer would do to it; unticked ones are left out. */
export function QuestionRows({ orders, except, setExcept }: QuestionRowsProps) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? orders : orders.slice(0, FIRST);
  const isAll = except.length === 0;
  const toggle = (id: string) =>
    setExcept(except.includes(id) ? except.filter((one) => one !== id) : [...except, id]);
  const rows = { orders: shown, except, toggle };
  return (
    <>
      <div className={styles.folds}>
        <table className={styles.table}>
          <caption className="hidden">{say("review.q.column")}</caption>
          <thead>
            <tr>
              <th scope="col">
                <span className={own.ticked}>
                  {!isReadOnly && (
                    <Checkbox
                      size="xs"
                      aria-label={say("review.q.include_all")}
                      checked={isAll}
                      indeterminate={!isAll && except.length < orders.length}
                      onChange={() => setExcept(isAll ? orders.map(({ orderId }) => orderId) : [])}
                    />
                  )}
                  {say("review.columns.order")}
                </span>
              </th>
              <th scope="col">{say("review.columns.due")}</th>
              <th scope="col">{say("review.q.column")}</th>
              <th scope="col" data-num>
                {say("review.columns.total")}
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((order) => (
              <Row key={order.orderId} order={order} rows={rows} />
            ))}
          </tbody>
        </table>
      </div>
      <ul className={styles.list}>
        {shown.map((order) => (
          <Item key={order.orderId} order={order} rows={rows} />
        ))}
      </ul>
      {orders.length > shown.length && (
        <div className={own.rest}>
          <Button variant="subtle" size="compact-sm" onClick={() => setWhole(true)}>
            {say("review.q.rest", { n: count(orders.length - shown.length) })}
          </Button>
        </div>
      )}
    </>
  );
}

interface RowProps {
  readonly order: QuestionOrder;
  readonly rows: {
    readonly except: readonly string[];
    readonly toggle: (id: string) => void;
  };
}

function Row({ order, rows }: RowProps) {
  return (
    <tr>
      <td>
        <Named order={order} rows={rows} />
      </td>
      <td className="nowrap">
        <Due order={order} />
      </td>
      <td>
        <Would order={order} isLeftOut={rows.except.includes(order.orderId)} />
      </td>
      <td className="num">{money(order.total, order.currency)}</td>
    </tr>
  );
}

function Item({ order, rows }: RowProps) {
  return (
    <li>
      <span className={styles.line}>
        <Named order={order} rows={rows} />
        <span className={`${styles.fixed} num`}>{money(order.total, order.currency)}</span>
      </span>
      <span className="small">
        <Due order={order} />
      </span>
      <span className="small">
        <Would order={order} isLeftOut={rows.except.includes(order.orderId)} />
      </span>
    </li>
  );
}

function Named({ order, rows }: RowProps) {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  const { connectionId, orderId } = order;
  return (
    <span className={own.ticked}>
      {!isReadOnly && (
        <Checkbox
          size="xs"
          aria-label={say("review.q.include", { order: nameOf(order) })}
          checked={!rows.except.includes(orderId)}
          onChange={() => rows.toggle(orderId)}
        />
      )}
      <span>
        <Link to={paths.reviewOne(account.id, connectionId, orderId)}>{nameOf(order)}</Link>
        <span className={styles.second}>{order.customer ?? say("orders.unidentified")}</span>
      </span>
    </span>
  );
}

function Due({ order }: { readonly order: QuestionOrder }) {
  const say = useWords();
  const { account } = useCompany();
  if (order.dueDate >= dayIn(account.timeZone)) return <span>{date(order.dueDate)}</span>;
  return (
    <>
      <StateMark tone="decide">{date(order.dueDate)}</StateMark>
      <span className="hidden">{say("review.overdue.one")}</span>
    </>
  );
}

function Would({ order, isLeftOut }: { readonly order: QuestionOrder; readonly isLeftOut: boolean }) {
  const say = useWords();
  if (isLeftOut) return <span className="muted">{say("review.q.not_answered")}</span>;
  const { would } = order;
  if (!would) return <span className="muted">–</span>;
  switch (would.would) {
    case "issued":
      return <StateMark tone="done">{say("review.q.would")}</StateMark>;
    case "settled":
      return <span>{say("review.q.settled")}</span>;
    default:
      return <StateMark tone="decide">{wouldText(would, say)}</StateMark>;
  }
}

function wouldText(would: NonNullable<QuestionOrder["would"]>, say: Say): string {
  if (would.would === "unknown") return say("review.q.unknown");
  return say(would.would === "refused" ? "review.q.no_fit" : "review.q.stays", { reason: would.message });
}
