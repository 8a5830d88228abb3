import type { Language } from "../../words/words.ts";
import type { LineRow, LineTable } from "../presentation/lines.ts";
import { Foreign, Legal } from "./words.tsx";

interface LinesProps {
  readonly lines: LineTable;
  readonly language: Language;
}

/** On a phone every row becomes two: description and amount, then the calculation. */
export function LinesTable({ lines, language }: LinesProps) {
  const { heads, included, hasDiscounts, rows, caption } = lines;
  return (
    <table class="lines">
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{heads.description}</th>
          <th scope="col">{heads.quantity}</th>
          <th scope="col">{heads.price}</th>
          {hasDiscounts ? <th scope="col">{heads.discount}</th> : null}
          <th scope="col">{heads.tax}</th>
          <th scope="col">
            {heads.amount}
            {included ? (
              <>
                <br />
                <Legal words={included} language={language} />
              </>
            ) : null}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Line row={row} lines={lines} />
        ))}
      </tbody>
    </table>
  );
}

function Line({ row, lines }: { readonly row: LineRow; readonly lines: LineTable }) {
  const { heads, hasDiscounts, taxName } = lines;
  const name = row.isRate && taxName !== undefined ? `${taxName} ` : "";
  return (
    <tr>
      <td>
        <Foreign text={row.description} />
      </td>
      <td class="part">
        {row.quantity}
        <OnPhone text=" × " />
      </td>
      <td class="part">{row.price}</td>
      {hasDiscounts ? (
        <td class="part">
          {row.discount === "" ? null : <OnPhone text={` · ${heads.discount.toLowerCase()} `} />}
          {row.discount}
        </td>
      ) : null}
      <td class="part">
        <OnPhone text={` · ${name}`} />
        {row.tax}
      </td>
      <td class="amount">{row.amount}</td>
    </tr>
  );
}

/** Labels for phones, where there are no columns. */
function OnPhone({ text }: { readonly text: string }) {
  return <span class="phone">{text}</span>;
}
