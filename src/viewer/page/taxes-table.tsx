import type { Language } from "../../words/words.ts";
import type { TaxRow, TaxTable } from "../presentation/taxes.ts";
import { Legal } from "./words.tsx";

interface TaxesProps {
  readonly taxes: TaxTable;
  readonly language: Language;
}

export function TaxesTable({ taxes, language }: TaxesProps) {
  const { heads, rows, sum, caption } = taxes;
  const [first = "", ...figures] = heads;
  const row = (one: TaxRow) => <TaxLine row={one} heads={figures} language={language} />;
  return (
    <table class={figures.length > 2 ? "taxes two-currencies" : "taxes"}>
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{first}</th>
          {figures.map((head) => (
            <th scope="col">{head}</th>
          ))}
        </tr>
      </thead>
      <tbody>{rows.map(row)}</tbody>
      {sum ? <tfoot>{row(sum)}</tfoot> : null}
    </table>
  );
}

interface TaxLineProps {
  readonly row: TaxRow;
  readonly heads: readonly string[];
  readonly language: Language;
}

/** The article follows its Spanish words and precedes the English ones. */
function TaxLine({ row, heads, language }: TaxLineProps) {
  const { gloss, ...name } = row.name;
  return (
    <tr>
      <th scope="row">
        <Legal words={name} language={language} />
        {row.law === undefined ? null : <span class="law">{row.law}</span>}
        {gloss === undefined ? null : <small class="gloss">{gloss}</small>}
      </th>
      {row.cells.map((cell, index) => (
        <td data-head={cell === "" ? "" : heads[index]}>{cell}</td>
      ))}
    </tr>
  );
}
