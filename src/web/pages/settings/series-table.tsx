import parts from "../../parts/parts.module.css";
import { date } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import type { SeriesShown } from "./queries.ts";
import styles from "./settings.module.css";

/** The series with their last and next numbers. */
export function SeriesTable({ series }: { readonly series: readonly SeriesShown[] }) {
  const say = useWords();
  const familyOf = (family: SeriesShown["family"]) =>
    family === undefined ? say("series.former") : say(`series.${family}`);
  return (
    <>
      <div className={parts.folds}>
        <table className={parts.table}>
          <caption className="hidden">{say("series.title")}</caption>
          <thead>
            <tr>
              <th scope="col">{say("series.column.family")}</th>
              <th scope="col">{say("series.column.last")}</th>
              <th scope="col">{say("series.column.on")}</th>
              <th scope="col">{say("series.column.next")}</th>
            </tr>
          </thead>
          <tbody>
            {series.map(({ code, family, last, next }) => (
              <tr key={code}>
                <td>{familyOf(family)}</td>
                <td className="nowrap">{last?.number ?? "—"}</td>
                <td className="nowrap">{last ? date(last.on) : "—"}</td>
                <td className="nowrap">{next ?? say("series.closed")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul className={parts.list}>
        {series.map(({ code, family, last, next }) => (
          <li key={code}>
            <span>{familyOf(family)}</span>
            <span className="muted small">
              {say("series.column.last")}: {last ? `${last.number}, ${date(last.on)}` : "—"}
            </span>
            <span className="muted small">
              {say("series.column.next")}: {next ?? say("series.closed")}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The next numbers of a stem, as they print. */
export function NextNumbers({ series }: { readonly series: readonly SeriesShown[] }) {
  const say = useWords();
  return (
    <dl className={styles.numbers}>
      {series.map(({ code, family, next }) => (
        <div key={code}>
          <dt>{family ? say(`series.${family}`) : code}</dt>
          <dd>{next ?? say("series.closed")}</dd>
        </div>
      ))}
    </dl>
  );
}
