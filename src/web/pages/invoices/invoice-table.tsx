import { Card } from "@mantine/core";
import type { ReactNode } from "react";
import { Link, useNavigate } from "react-router";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import styles from "../../parts/parts.module.css";
import { recordTone, StateMark } from "../../parts/state-mark.tsx";
import { date, money, shortMoment, time } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import type { ListedInvoice } from "./invoice-queries.ts";
import { customerOf, originOf, secondLine, stateWord } from "./invoice-words.ts";
import own from "./invoices.module.css";

interface InvoiceTableProps {
  readonly items: readonly ListedInvoice[];
  readonly caption: string;
  /** One line per invoice, as on the overview. */
  readonly isShort?: boolean;
}

/** Rows where there is room, a list below 720 px. */
export function InvoiceTable({ items, caption, isShort = false }: InvoiceTableProps) {
  const say = useWords();
  return (
    <>
      <div className={styles.folds}>
        <table className={styles.table}>
          <caption className="hidden">{caption}</caption>
          <thead>
            <tr>
              <th scope="col">{say("invoices.column.number")}</th>
              <th scope="col" className={own.wide}>
                {say("invoices.column.issued")}
              </th>
              <th scope="col">{say("invoices.column.customer")}</th>
              <th scope="col" className={own.wide}>
                {say("invoices.column.origin")}
              </th>
              <th scope="col" data-num>
                {say("invoices.column.total")}
              </th>
              <th scope="col">{say("invoices.column.state")}</th>
            </tr>
          </thead>
          <tbody>
            {items.map((invoice) => (
              <InvoiceRow key={invoice.id} invoice={invoice} isShort={isShort} />
            ))}
          </tbody>
        </table>
      </div>
      <ul className={styles.list}>
        {items.map((invoice) => (
          <InvoiceItem key={invoice.id} invoice={invoice} />
        ))}
      </ul>
    </>
  );
}

interface RowProps {
  readonly invoice: ListedInvoice;
}

function InvoiceRow({ invoice, isShort }: RowProps & { readonly isShort: boolean }) {
  const say = useWords();
  const { account } = useCompany();
  const go = useNavigate();
  const to = paths.invoice(account.id, invoice.id);
  const { issuedAt, issueDate } = invoice;
  return (
    // The link in it is for everybody; the row is only a larger target for a mouse.
    <tr data-link onClick={() => go(to)}>
      <td className={own.fixed}>
        <Link to={to}>{invoice.fullNumber}</Link>
        <span className={`${styles.second} ${own.narrow}`}>
          {date(issueDate)}, {time(issuedAt, account.timeZone)}
        </span>
      </td>
      <td className={`${own.fixed} ${own.wide}`}>
        {isShort ? (
          <span className="muted">{shortMoment(issuedAt, account.timeZone)}</span>
        ) : (
          <>
            {date(issueDate)}
            <span className={styles.second}>{time(issuedAt, account.timeZone)}</span>
          </>
        )}
      </td>
      <td>
        {customerOf(invoice, say)}
        {!isShort && <span className={styles.second}>{secondLine(invoice, say)}</span>}
        <span className={`${styles.second} ${own.narrow}`}>{originOf(invoice, say)}</span>
      </td>
      <td className={`muted ${own.wide} ${own.origin}`}>{originOf(invoice, say)}</td>
      <td className="num">
        <Total invoice={invoice} />
      </td>
      <td>
        <InvoiceState invoice={invoice} />
      </td>
    </tr>
  );
}

function InvoiceItem({ invoice }: RowProps) {
  const say = useWords();
  const { account } = useCompany();
  return (
    <li>
      <div className={styles.line}>
        <Link to={paths.invoice(account.id, invoice.id)}>{invoice.fullNumber}</Link>
        <span className={`num ${styles.fixed}`}>
          <Total invoice={invoice} />
        </span>
      </div>
      <div className={styles.line}>
        <span className="muted">{invoice.customer ?? secondLine(invoice, say)}</span>
        <span className={`muted ${styles.fixed}`}>{date(invoice.issueDate)}</span>
      </div>
      <div>
        <InvoiceState invoice={invoice} />
      </div>
    </li>
  );
}

/** Euros first, the invoice's own currency below; of a cancelled one struck through. */
function Total({ invoice }: RowProps) {
  const { totalEur, total, currency, standing } = invoice;
  return (
    <>
      {standing.is === "cancelled" ? (
        <s className={own.cut}>{money(totalEur)}</s>
      ) : (
        <span className={own.fixed}>{money(totalEur)}</span>
      )}
      {currency !== "EUR" && <span className={styles.second}>{money(total, currency)}</span>}
    </>
  );
}

/** The state of its newest record; a completely cancelled invoice shows only that. */
export function InvoiceState({ invoice }: RowProps) {
  const say = useWords();
  const { state, standing, test } = invoice;
  if (test) {
    return (
      <>
        <StateMark tone="none">{say("document.test")}</StateMark>
        <span className={styles.second}>
          {standing.is === "cancelled" ? say("document.cancelled") : stateWord(state, say)}
        </span>
      </>
    );
  }
  if (standing.is === "cancelled" && state === "accepted") {
    return <StateMark tone="cancelled">{say("document.cancelled")}</StateMark>;
  }
  return (
    <>
      <StateMark tone={recordTone(state)}>{stateWord(state, say)}</StateMark>
      {standing.is === "cancelled" && <span className={styles.second}>{say("document.cancelled")}</span>}
    </>
  );
}

export function TableCard({ children, label }: { readonly children: ReactNode; readonly label: string }) {
  return (
    <Card component="section" aria-label={label} p={0}>
      {children}
    </Card>
  );
}
