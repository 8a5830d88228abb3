import { Alert } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import { Section } from "../../parts/page-head.tsx";
import { useWords } from "../../words/words.tsx";
import { isOfDestination } from "./answers/destination-answer.tsx";
import own from "./order.module.css";
import type { Choices, Order, OrderPlace, ShownReason } from "./queries.ts";
import { ReasonAnswer } from "./reason-answer.tsx";
import { keyOfReason, type Typed, type TypedByReason } from "./typed-answers.ts";

export interface ReasonListProps {
  readonly order: Order;
  readonly place: OrderPlace;
  readonly reasons: readonly ShownReason[];
  readonly choices: Choices;
  readonly typed: TypedByReason;
  readonly refusals: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly change: (key: string, typed: Typed) => void;
}

/** Por qué espera: every reason with its answer in place. */
export function ReasonList(props: ReasonListProps) {
  const say = useWords();
  const { reasons } = props;
  const left = reasons.filter(isOpen).length;
  return (
    <Section
      title={say("review.why")}
      aside={<span aria-live="polite">{say("review.left", { n: left, total: reasons.length })}</span>}
      flush
    >
      <ol className={own.why}>
        {keyed(reasons).map(({ reason, id }) => (
          <ReasonItem key={id} id={id} reason={reason} list={props} />
        ))}
      </ol>
    </Section>
  );
}

export function isOpen({ holds, isSettled }: ShownReason): boolean {
  return holds && !isSettled;
}

/** Several lines may have the same thing wrong with them. */
function keyed(reasons: readonly ShownReason[]) {
  const seen = new Map<string, number>();
  return reasons.map((reason) => {
    const key = keyOfReason(reason);
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    return { reason, id: `reason-${key}-${before}` };
  });
}

interface ReasonItemProps {
  readonly id: string;
  readonly reason: ShownReason;
  readonly list: ReasonListProps;
}

function ReasonItem({ id, reason, list }: ReasonItemProps) {
  const say = useWords();
  const key = keyOfReason(reason);
  const refusals = list.refusals[key] ?? {};
  const whole = Object.entries(refusals).filter(([path]) => !isOfField(path));
  return (
    <li>
      {isOpen(reason) ? (
        <IconAlertTriangle size={20} aria-hidden className={own.warn} />
      ) : (
        <IconCircleCheck size={20} aria-hidden className={own.ok} />
      )}
      <div>
        <h3 id={id} tabIndex={-1} data-open={isOpen(reason) || undefined}>
          {reason.title}
          <span className="hidden">: {say(isOpen(reason) ? "review.unsolved" : "review.solved")}</span>
        </h3>
        {reason.sentence && <p>{reason.sentence}</p>}
        <ReasonAnswer
          reason={reason}
          order={list.order}
          place={list.place}
          choices={list.choices}
          typed={list.typed[key]}
          refusals={refusals}
          change={(typed) => list.change(key, typed)}
        />
        {whole.map(([path, message]) => (
          <Alert key={path} color="red" variant="light" className={own.below ?? ""} role="alert">
            {message}
          </Alert>
        ))}
      </div>
    </li>
  );
}

/** Shown at its field; other problems are shown below the fields. */
function isOfField(path: string): boolean {
  const isNamed = path.startsWith("recipient.") || isOfDestination(path);
  return isNamed || ["country", "rate", "date", "from", "sales", "name", "treatment"].includes(path);
}

/** Moves the focus to the first open reason. */
export function goToFirstOpen(): void {
  const heading = document.querySelector<HTMLElement>("h3[data-open]");
  const field = heading?.closest("li")?.querySelector<HTMLElement>("input:not([type=hidden]), button");
  heading?.scrollIntoView({ block: "center" });
  (field ?? heading)?.focus({ preventScroll: true });
}
