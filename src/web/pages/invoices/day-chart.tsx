import { useMediaQuery } from "@mantine/hooks";
import { Link } from "react-router";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { count, monthOnly, monthTitle } from "../../words/format.ts";
import { useWords, type WordId } from "../../words/words.tsx";
import type { Overview } from "./invoice-queries.ts";
import styles from "./invoices.module.css";

/** Its own measures on a phone, so that its words stay as large as all others. */
const WIDE = 660;
const NARROW = 300;
/** Room for the figures of the axis: the gap beside them, and what a figure takes. */
const LEAST_LEFT = 28;
const GAP = 8;
const FIGURE = 7.2;
const FLOOR = 166;
const TOP = 8;
const HEIGHT = 186;

interface DayChartProps {
  readonly month: string;
  /** The last day that is drawn. */
  readonly until: number;
  readonly days: readonly Day[];
  readonly connection: string | null;
}

/** A bar per day, by the authority's answers; the key next to it has the figures. */
export function DayChart({ month, until, days, connection }: DayChartProps) {
  const say = useWords();
  const isNarrow = useMediaQuery("(max-width: 719px)", undefined, { getInitialValueInEffect: false });
  const width = isNarrow ? NARROW : WIDE;
  const every = isNarrow ? 10 : 5;
  const byDay = new Map(days.map((day) => [Number(day.day.slice(8)), day]));
  const step = stepOf(Math.max(...days.map(totalOf), 1));
  const top = step * 3;
  const y = (value: number) => FLOOR - (value / top) * (FLOOR - TOP);
  const left = Math.max(LEAST_LEFT, GAP + Math.ceil(FIGURE * count(top).length));
  const wide = (width - left) / until;
  return (
    <div className={styles.daily}>
      <svg
        className={styles.bars}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={say("overview.daily.label", { month: monthOnly(month) })}
      >
        {[0, step, step * 2, top].map((value) => (
          <g key={value}>
            <line x1={left} x2={width} y1={y(value)} y2={y(value)} />
            <text x={left - GAP} y={y(value) + 4} textAnchor="end">
              {count(value)}
            </text>
          </g>
        ))}
        {Array.from({ length: until }, (_, index) => index + 1).map((day) => {
          const middle = left + (day - 0.5) * wide;
          const isNamed = day === 1 || day === until || (day % every === 0 && until - day > every / 3);
          const counted = byDay.get(day);
          return (
            <g key={day}>
              {counted && <Bar day={counted} middle={middle} width={Math.min(wide * 0.65, 16)} y={y} />}
              {isNamed && (
                <text x={middle} y={HEIGHT - 4} textAnchor="middle">
                  {day}
                </text>
              )}
            </g>
          );
        })}
      </svg>
      <DayKey month={month} today={until} days={days} connection={connection} />
    </div>
  );
}

interface BarProps {
  readonly day: Day;
  readonly middle: number;
  readonly width: number;
  readonly y: (value: number) => number;
}

const ROOM = 6;

/** Accepted ones, open ones hollow above, and marks over the bar. */
function Bar({ day, middle, width, y }: BarProps) {
  const x = middle - width / 2;
  const { accepted, open, acceptedWithErrors, rejected } = day;
  const heights = [accepted, open, acceptedWithErrors, rejected];
  const from = (index: number) => heights.slice(0, index).reduce((sum, value) => sum + value, 0);
  const part = (index: number) => ({
    ...{ x, width, y: y(from(index + 1)) },
    height: Math.max(0, y(from(index)) - y(from(index + 1))),
  });
  const top = y(totalOf(day));
  const hollow = part(1);
  return (
    <>
      {accepted > 0 && <rect {...part(0)} fill="var(--chart-ok)" />}
      {open > 0 && (
        <rect
          className={styles.hollow}
          x={hollow.x + 0.75}
          width={Math.max(1, hollow.width - 1.5)}
          y={hollow.y + 0.75}
          height={Math.max(1, hollow.height - 0.75)}
        />
      )}
      {acceptedWithErrors > 0 && <rect {...part(2)} fill="var(--chart-warn)" />}
      {rejected > 0 && <rect {...part(3)} fill="var(--chart-bad)" />}
      {acceptedWithErrors > 0 && <Triangle x={middle - (rejected > 0 ? ROOM : 0)} y={top - ROOM} />}
      {rejected > 0 && <Cross x={middle + (acceptedWithErrors > 0 ? ROOM : 0)} y={top - ROOM} />}
    </>
  );
}

/** Grid lines at round figures. */
function stepOf(most: number): number {
  const rough = most / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  const round = [1, 2, 2.5, 5, 10].find(
    (factor) => factor * power >= rough && Number.isInteger(factor * power),
  );
  return (round ?? 10) * Math.max(1, power);
}

type Day = Overview["days"][number];

function totalOf({ accepted, open, acceptedWithErrors, rejected }: Day): number {
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
function DayKey({ month, today, days, connection }: DayKeyProps) {
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

function Triangle({ x, y }: MarkProps) {
  return <path d={`M${x} ${y - 8}l${MARK} 8h-${2 * MARK}z`} fill="var(--chart-warn)" />;
}

function Cross({ x, y }: MarkProps) {
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
