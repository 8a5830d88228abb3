import type { UseQueryResult } from "@tanstack/react-query";
import { DateField } from "../../parts/date-field.tsx";
import { Section } from "../../parts/page-head.tsx";
import { ErrorCard } from "../../parts/states.tsx";
import { dayOfMonth, longDate, money } from "../../words/format.ts";
import { type Say, useWords } from "../../words/words.tsx";
import styles from "./setup.module.css";
import type { Setup } from "./setup.ts";

interface Sum {
  readonly orders: number;
  readonly totalEur: string;
  readonly withoutRate: number;
}

interface CutoffCardProps {
  readonly setup: Setup;
  readonly cutoff: string;
  readonly problem: string | undefined;
  readonly change: (date: string) => void;
  readonly waiting: UseQueryResult<Waiting>;
}

interface Waiting {
  readonly days: readonly WaitingDay[];
  readonly before: Sum;
  readonly from: Sum;
}

/** The start date, and its effect on the waiting orders. */
export function CutoffCard({ setup, cutoff, problem, change, waiting: read }: CutoffCardProps) {
  const say = useWords();
  const waiting = read.data;
  // What people issue by hand is dated by them.
  if (setup.kind === "console") return null;
  return (
    <Section title={say("step3.cutoff")}>
      <DateField
        id="cutoff_date"
        label={say("step3.cutoff.field")}
        description={say("step3.cutoff.hint")}
        value={cutoff}
        error={problem}
        onChange={(date) => date !== "" && change(date)}
      />
      {read.isError && <ErrorCard error={read.error} retry={() => void read.refetch()} />}
      {waiting && waiting.days.length > 0 && <WaitingBars days={waiting.days} cutoff={cutoff} />}
      {waiting && (
        <div className={styles.cutoff}>
          <SumBox title={say("step3.cutoff.before")} sum={waiting.before} say={say} />
          <SumBox
            title={say("step3.cutoff.after", { date: longDate(cutoff) })}
            sum={waiting.from}
            say={say}
          />
        </div>
      )}
      {setup.kind === "api" && <p className="muted small">{say("step3.cutoff.api")}</p>}
    </Section>
  );
}

function SumBox({ title, sum, say }: { readonly title: string; readonly sum: Sum; readonly say: Say }) {
  return (
    <div>
      <span>{title}</span>
      <b>{say("step3.cutoff.orders", { n: sum.orders })}</b>
      <span>{money(sum.totalEur)}</span>
      {sum.withoutRate > 0 && <span>{say("step3.cutoff.without_rate", { n: sum.withoutRate })}</span>}
    </div>
  );
}

interface WaitingDay {
  readonly day: string;
  readonly orders: number;
  readonly totalEur: string;
}

const HEIGHT = 60;
const WIDTH = 640;

interface WaitingBarsProps {
  readonly days: readonly WaitingDay[];
  readonly cutoff: string;
}

/** A bar for every day with orders, and the chosen date as a dashed line before the first that counts. */
function WaitingBars({ days, cutoff }: WaitingBarsProps) {
  const say = useWords();
  const most = Math.max(...days.map(({ orders }) => orders));
  const step = WIDTH / days.length;
  const first = days.findIndex(({ day }) => day >= cutoff);
  const lineAt = first === -1 ? WIDTH : first * step;
  const name = ({ day, orders, totalEur }: WaitingDay) =>
    say("step3.cutoff.bar", { date: dayOfMonth(day), n: orders, amount: money(totalEur) });
  return (
    <figure>
      <svg className={styles.bars} viewBox={`0 0 ${WIDTH} 84`} preserveAspectRatio="none" aria-hidden="true">
        {days.map((day, index) => {
          const height = Math.max(2, (HEIGHT * day.orders) / most);
          return (
            <rect
              key={day.day}
              x={index * step + step * 0.15}
              y={HEIGHT + 4 - height}
              width={Math.min(step * 0.7, 18)}
              height={height}
              fill={day.day < cutoff ? "var(--chart-off)" : "var(--chart-ok)"}
            >
              <title>{name(day)}</title>
            </rect>
          );
        })}
        <line x1={lineAt} x2={lineAt} y1={0} y2={HEIGHT + 8} stroke="var(--text)" strokeDasharray="3 3" />
      </svg>
      <div className={`row caption muted ${styles.ends}`}>
        <span>{dayOfMonth(days[0]?.day ?? cutoff)}</span>
        <span className="end">{dayOfMonth(days.at(-1)?.day ?? cutoff)}</span>
      </div>
      <figcaption className="hidden">
        {say("step3.cutoff.bars")}
        <ul>
          {days.map((day) => (
            <li key={day.day}>{name(day)}</li>
          ))}
        </ul>
      </figcaption>
    </figure>
  );
}
