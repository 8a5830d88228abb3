import { dayOfMonth, money } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import styles from "./wizard.module.css";

export interface WaitingDay {
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
export function WaitingBars({ days, cutoff }: WaitingBarsProps) {
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
