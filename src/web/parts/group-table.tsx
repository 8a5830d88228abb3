import { amount, money } from "../words/format.ts";
import { AmountTable } from "./amount-table.tsx";

/** Amounts of one tax group, or of all, as exact texts. */
interface Amounts {
  readonly base: string;
  readonly tax: string;
  readonly total: string;
}

export interface NamedAmounts extends Amounts {
  readonly key: string;
  /** The tax and its rate, or why there is none. */
  readonly name: string;
}

interface GroupTableProps {
  readonly caption: string;
  /** Of the tax, the base, the quota and the total, which names the sum too. */
  readonly heads: readonly [string, string, string, string];
  readonly groups: readonly NamedAmounts[];
  readonly totals: Amounts;
  readonly currency: string;
}

/** The tax groups of an invoice that would be issued, with their sum. */
export function GroupTable({ caption, heads, groups, totals, currency }: GroupTableProps) {
  const [, , , total] = heads;
  return (
    <AmountTable
      caption={caption}
      isTitled
      heads={heads}
      rows={groups.map(({ key, name, ...of }) => (
        <tr key={key}>
          <td>{name}</td>
          <td className="num">{amount(of.base, currency)}</td>
          <td className="num">{amount(of.tax, currency)}</td>
          <td className="num">{amount(of.total, currency)}</td>
        </tr>
      ))}
      foot={
        <tr>
          <td>{total}</td>
          <td className="num">{amount(totals.base, currency)}</td>
          <td className="num">{amount(totals.tax, currency)}</td>
          <td className="num">{money(totals.total, currency)}</td>
        </tr>
      }
    />
  );
}
