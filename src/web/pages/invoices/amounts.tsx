import { AmountTable } from "../../parts/amount-table.tsx";
import { OssDoubts, ossTaxWord } from "../../parts/oss.tsx";
import { Section } from "../../parts/page-head.tsx";
import { amount, date, money, percent } from "../../words/format.ts";
import { type Say, useWords } from "../../words/words.tsx";
import type { InvoiceDetail } from "./invoice-queries.ts";
import styles from "./invoices.module.css";

/** The amounts of the invoice, including those that its sheet may not show. */
export function AmountsSection({ invoice }: { readonly invoice: InvoiceDetail }) {
  const say = useWords();
  const { amounts, currency } = invoice;
  const isOfMargin = amounts.groups.some(({ outsideMargin }) => outsideMargin !== undefined);
  return (
    <Section title={say("invoice.amounts")} flush>
      <AmountTable
        caption={say("invoice.amounts")}
        isTitled
        heads={[say("invoice.amounts.tax"), say("invoice.amounts.base"), say("invoice.amounts.quota")]}
        rows={amounts.groups.map((group) => (
          <tr key={taxGroupWord(group, say)}>
            <td>{taxGroupWord(group, say)}</td>
            <td className="num">{amount(group.base, currency)}</td>
            <td className="num">{amount(group.quota, currency)}</td>
          </tr>
        ))}
      />
      <dl className={styles.beside}>
        {furtherRows(invoice, say).map(({ name, value, isLast }) => (
          <div key={name} {...(isLast ? { "data-last": true } : {})}>
            <dt>{name}</dt>
            <dd className="num">{value}</dd>
          </div>
        ))}
      </dl>
      <OssDoubts doubts={amounts.ossDoubts ?? []} />
      {isOfMargin && (
        <p className={`muted small ${styles.besideNote}`}>{say("invoice.amounts.margin.note")}</p>
      )}
    </Section>
  );
}

interface FurtherRow {
  readonly name: string;
  readonly value: string;
  readonly isLast?: true;
}

/** In the order in which the invoice prints them. */
function furtherRows({ amounts, currency }: InvoiceDetail, say: Say): readonly FurtherRow[] {
  const { groups, total, totalEur, withholding, payments, disbursements, payable, rectifiedPeriod } = amounts;
  const inMoney = (value: string) => money(value, currency);
  const less = (value: string) => inMoney(value.startsWith("-") ? value.slice(1) : `-${value}`);
  return [
    ...groups.flatMap((group) =>
      group.surcharge === undefined
        ? []
        : [
            {
              name: say("invoice.amounts.surcharge", { group: taxGroupWord(group, say) }),
              value: inMoney(group.surcharge),
            },
          ],
    ),
    ...groups.flatMap((group) =>
      group.outsideMargin === undefined
        ? []
        : [
            {
              name: say("invoice.amounts.outside", { group: taxGroupWord(group, say) }),
              value: inMoney(group.outsideMargin),
            },
          ],
    ),
    { name: say("invoice.amounts.total"), value: inMoney(total) },
    ...(totalEur === undefined ? [] : [{ name: say("invoice.amounts.total_eur"), value: money(totalEur) }]),
    ...(withholding === undefined
      ? []
      : [{ name: say("invoice.amounts.withholding"), value: less(withholding) }]),
    ...disbursements.map(({ name, amount: paid }) => ({
      name: say("invoice.amounts.disbursement", { name }),
      value: inMoney(paid),
    })),
    ...payments.map(({ name, amount: paid }) => ({
      name: say("invoice.amounts.payment", { name }),
      value: less(paid),
    })),
    ...(payable === undefined
      ? []
      : [{ name: say("invoice.amounts.payable"), value: inMoney(payable), isLast: true as const }]),
    ...(rectifiedPeriod === undefined
      ? []
      : [
          {
            name: say("invoice.amounts.period"),
            value: `${date(rectifiedPeriod.from)} – ${date(rectifiedPeriod.to)}`,
          },
        ]),
  ];
}

type TaxGroup = InvoiceDetail["amounts"]["groups"][number];

/** A tax group by its key; the rates are exact texts. */
export interface NamedGroup extends Pick<TaxGroup, "tax" | "qualification"> {
  readonly regime?: string | undefined;
  /** Of the tax of a one-stop-shop sale. */
  readonly country?: string | undefined;
  readonly rate: string;
  readonly surchargeRate?: string | undefined;
}

/** IVA 21 %, IVA de Francia 20 %, or why there is none; the margin scheme by its name. */
export function taxGroupWord(
  { tax, regime = "", rate, qualification: code, surchargeRate, country }: NamedGroup,
  say: Say,
): string {
  const there = ossTaxWord({ regime, rate, country }, say);
  if (there !== undefined) return there;
  const name = say(`rectify.tax.${tax}`);
  if (code.startsWith("E")) return `${name} ${say("rectify.exempt", { code })}`;
  if (code.startsWith("N")) return `${name} ${say("rectify.not_subject", { code })}`;
  if (code === "S2") return `${name}, ${say("rectify.reverse")}`;
  const surcharge = surchargeRate ? ` + ${say("rectify.surcharge", { rate: percent(surchargeRate) })}` : "";
  const scheme = regime === "03" || regime === "05" ? `, ${say(`rectify.scheme.${regime}`)}` : "";
  return `${name} ${percent(rate)}${surcharge}${scheme}`;
}
