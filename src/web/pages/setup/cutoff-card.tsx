import type { UseQueryResult } from "@tanstack/react-query";
import { DateField } from "../../parts/date-field.tsx";
import { ErrorCard } from "../../parts/error-card.tsx";
import { Section } from "../../parts/section.tsx";
import { longDate, money } from "../../words/format.ts";
import { type Say, useWords } from "../../words/words.tsx";
import type { Setup } from "./setup.ts";
import { WaitingBars, type WaitingDay } from "./waiting-bars.tsx";
import styles from "./wizard.module.css";

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
