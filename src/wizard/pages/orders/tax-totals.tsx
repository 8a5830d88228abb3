import styles from "../../parts/parts.module.css";
import { amount, percent } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import own from "./order.module.css";
import type { Order } from "./queries.ts";

/** What the shop says of each rate beside its lines: within a rounding of them, it counts. */
export function TaxTotals({ facts }: Pick<Order, "facts">) {
  const say = useWords();
  const { taxTotals = [], currency } = facts;
  if (taxTotals.length === 0) return null;
  const hasSurcharge = taxTotals.some(({ surcharge }) => surcharge !== undefined);
  const told = (value: string | undefined) => (value === undefined ? "—" : amount(value, currency));
  return (
    <table className={`${styles.table} ${own.tight}`}>
      <caption className={own.caption}>{say("facts.by_rate")}</caption>
      <thead>
        <tr>
          <th scope="col">{say("facts.by_rate.rate")}</th>
          <th scope="col" data-num>
            {say("facts.base")}
          </th>
          <th scope="col" data-num>
            {say("facts.tax")}
          </th>
          {hasSurcharge && (
            <th scope="col" data-num>
              {say("facts.by_rate.surcharge")}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {taxTotals.map(({ rate, base, tax, surchargeRate, surcharge }) => (
          <tr key={`${rate} ${surchargeRate ?? ""}`}>
            <td>
              {surchargeRate === undefined ? percent(rate) : `${percent(rate)} + ${percent(surchargeRate)}`}
            </td>
            <td className="num">{told(base)}</td>
            <td className="num">{told(tax)}</td>
            {hasSurcharge && <td className="num">{told(surcharge)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
