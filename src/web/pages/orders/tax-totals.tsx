import { AmountTable } from "../../parts/amount-table.tsx";
import { amount, percent } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import type { Order } from "./queries.ts";

/** The shop's tax per rate next to its lines; within rounding, the shop's amount counts. */
export function TaxTotals({ facts }: Pick<Order, "facts">) {
  const say = useWords();
  const { taxTotals = [], currency } = facts;
  if (taxTotals.length === 0) return null;
  const hasSurcharge = taxTotals.some(({ surcharge }) => surcharge !== undefined);
  const told = (value: string | undefined) => (value === undefined ? "—" : amount(value, currency));
  return (
    <AmountTable
      caption={say("facts.by_rate")}
      heads={[
        ...([say("facts.by_rate.rate"), say("facts.base"), say("facts.tax")] as const),
        ...(hasSurcharge ? [say("facts.by_rate.surcharge")] : []),
      ]}
      rows={taxTotals.map(({ rate, base, tax, surchargeRate, surcharge }) => (
        <tr key={`${rate} ${surchargeRate ?? ""}`}>
          <td>
            {surchargeRate === undefined ? percent(rate) : `${percent(rate)} + ${percent(surchargeRate)}`}
          </td>
          <td className="num">{told(base)}</td>
          <td className="num">{told(tax)}</td>
          {hasSurcharge && <td className="num">{told(surcharge)}</td>}
        </tr>
      ))}
    />
  );
}
