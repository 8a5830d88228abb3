import { Link } from "react-router";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { count, monthTitle } from "../../words/format.ts";
import { useWords, type WordId } from "../../words/words.tsx";
import type { Overview } from "./invoice-queries.ts";
import styles from "./invoices.module.css";

export type Day = Overview["days"][number];

export function totalOf({ accepted, open, acceptedWithErrors, rejected }: Day): number {
  return accepted + open + acceptedWithErrors + rejected;
}

interface KeyLine {
  readonly word: WordId;
  readonly state?: string;
  readonly of: (day: Day) => number;
  readonly mark: "full" | "hollow" | "triangle" | "cross" | "none";
}

const LINES: readonly KeyLine[] = [
  { word: "overview.accepted", state: "accepted", of: ({ accepted }) => accepted, mark: "full" },
  { word: "overview.open", state: "pending_submission", of: ({ open }) => open, mark: "hollow" },
  {
    word: "overview.with_errors",
    state: "accepted_with_errors",
    of: ({ acceptedWithErrors }) => acceptedWithErrors,
    mark: "triangle",
  },
  { word: "overview.declined", state: "rejected", of: ({ rejected }) => rejected, mark: "cross" },
  { word: "overview.total", of: totalOf, mark: "none" },
];

interface DayKeyProps {
  readonly month: string;
  readonly today: number;
  readonly days: readonly Day[];
  readonly connection: string | null;
}

/** The figures of today and of the month: the chart as a table, for people who cannot see it. */
export function DayKey({ month, today, days, connection }: DayKeyProps) {
  const say = useWords();
  const { account } = useCompany();
  const ofToday = days.filter(({ day }) => Number(day.slice(8)) === today);
  const sum = (of: KeyLine["of"], among: readonly Day[]) =>
    count(among.reduce((counted, day) => counted + of(day), 0));
  const addressOf = (state: string | undefined) =>
    `${paths.invoices(account.id)}?${new URLSearchParams({
      mes: month,
      ...(state ? { estado: state } : {}),
      ...(connection ? { conexion: connection } : {}),
    })}`;
  return (
    <table className={styles.key}>
      <caption className="hidden">{say("overview.daily")}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="hidden">{say("invoices.state")}</span>
          </th>
          <th scope="col">{say("overview.today")}</th>
          <th scope="col">{monthTitle(month).replace(/ .*/, "")}</th>
        </tr>
      </thead>
      <tbody>
        {LINES.map(({ word, state, of, mark }) => (
          <tr key={word}>
            <th scope="row">
              <KeyMark mark={mark} />
              <Link to={addressOf(state)}>{say(word)}</Link>
            </th>
            <td className="num">{sum(of, ofToday)}</td>
            <td className="num">
              <b>{sum(of, days)}</b>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function KeyMark({ mark }: { readonly mark: KeyLine["mark"] }) {
  if (mark === "none") return <span />;
  if (mark === "full" || mark === "hollow") {
    return <i {...(mark === "hollow" ? { "data-hollow": true } : {})} aria-hidden />;
  }
  return (
    <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
      {mark === "triangle" ? <Triangle x={7} y={11} /> : <Cross x={7} y={10.5} />}
    </svg>
  );
}

const MARK = 4.5;

interface MarkProps {
  readonly x: number;
  readonly y: number;
}

export function Triangle({ x, y }: MarkProps) {
  return <path d={`M${x} ${y - 8}l${MARK} 8h-${2 * MARK}z`} fill="var(--chart-warn)" />;
}

export function Cross({ x, y }: MarkProps) {
  return (
    <path
      d={`M${x - 3.5} ${y - 7}l7 7m0 -7l-7 7`}
      fill="none"
      stroke="var(--chart-bad)"
      strokeWidth={2.2}
      strokeLinecap="round"
    />
  );
}
