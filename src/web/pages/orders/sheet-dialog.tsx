import { Modal } from "@mantine/core";
import partStyles from "../../parts/parts.module.css";
import { date } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import own from "./order.module.css";
import type { Draft } from "./queries.ts";
import { invoiceTypeWord } from "./shown.ts";

interface SheetDialogProps {
  readonly draft: Draft;
  readonly isOpen: boolean;
  readonly close: () => void;
}

/**
 * The whole invoice in its tables, as they would be printed; without QR, because there is nothing to verify
 * yet.
 */
export function SheetDialog({ draft, isOpen, close }: SheetDialogProps) {
  const say = useWords();
  const { recipient, sheet } = draft;
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      closeButtonProps={{ "aria-label": say("close") }}
      size={840}
      title={`${invoiceTypeWord(draft.invoiceType, say)} · ${say("review.would.note")}`}
    >
      <div className="stack">
        <dl className="facts">
          <dt>{say("review.would.number.label")}</dt>
          <dd>{say("review.would.number", { number: draft.fullNumber })}</dd>
          <dt>{say("review.would.date")}</dt>
          <dd>{date(draft.issueDate)}</dd>
          {draft.operationDate !== draft.issueDate && (
            <>
              <dt>{say("review.would.operation")}</dt>
              <dd>{date(draft.operationDate)}</dd>
            </>
          )}
          <dt>{say("review.would.customer")}</dt>
          <dd>{recipient ? recipientText(recipient) : say("orders.unidentified")}</dd>
        </dl>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
        <section className={own.scroll} tabIndex={0} aria-label={sheet.lines.caption}>
          <LinesTable lines={sheet.lines} />
        </section>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
        <section className={own.scroll} tabIndex={0} aria-label={sheet.taxes.caption}>
          <TaxesTable taxes={sheet.taxes} />
        </section>
        <dl className="facts">
          {sheet.totals.map(({ label, value }) => (
            <TotalRow key={label} label={label} value={value} />
          ))}
        </dl>
      </div>
    </Modal>
  );
}

type Recipient = NonNullable<Draft["recipient"]>;

function recipientText({ company, vatNumber, address1, postcode, city, country }: Recipient): string {
  const place = [postcode, city].filter(Boolean).join(" ");
  return [company, vatNumber, address1, place, country].filter(Boolean).join(", ");
}

function LinesTable({ lines }: { readonly lines: Draft["sheet"]["lines"] }) {
  const { heads, rows, hasDiscounts } = lines;
  return (
    <table className={`${partStyles.table} ${own.sheet}`}>
      <thead>
        <tr>
          <th scope="col">{heads.description}</th>
          <Head text={heads.quantity} />
          <Head text={heads.price} />
          {hasDiscounts && <Head text={heads.discount} />}
          <Head text={heads.tax} />
          <Head text={heads.amount} />
        </tr>
      </thead>
      <tbody>
        {rows.map((row, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
          <tr key={place}>
            <td>{row.description}</td>
            <td className="num">{row.quantity}</td>
            <td className="num">{row.price}</td>
            {hasDiscounts && <td className="num">{row.discount}</td>}
            <td className="num">{row.tax}</td>
            <td className="num">{row.amount}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Head({ text }: { readonly text: string }) {
  return (
    <th scope="col" data-num>
      {text}
    </th>
  );
}

function TaxesTable({ taxes }: { readonly taxes: Draft["sheet"]["taxes"] }) {
  const [name = "", ...figures] = taxes.heads;
  return (
    <table className={`${partStyles.table} ${own.sheet}`}>
      <thead>
        <tr>
          <th scope="col">{name}</th>
          {figures.map((head) => (
            <Head key={head} text={head} />
          ))}
        </tr>
      </thead>
      <tbody>
        {[...taxes.rows, ...(taxes.sum ? [taxes.sum] : [])].map((row) => (
          <tr key={row.name.text}>
            <td>
              {row.name.text}
              {row.law && <span className={partStyles.second}>{row.law}</span>}
            </td>
            {row.cells.map((cell, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cells align with their heads
              <td key={place} className="num">
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function TotalRow({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <>
      <dt>{label}</dt>
      <dd className="num">{value}</dd>
    </>
  );
}
