import { Button } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { date, dayIn } from "../../words/format.ts";
import { type Say, useWords } from "../../words/words.tsx";
import styles from "./filters.module.css";
import { type Days, rangeOf } from "./ranges.ts";

/** A filter of a list that is set. */
export interface SetFilter {
  readonly id: string;
  readonly text: string;
  readonly remove: () => void;
}

/** What the list is filtered by, each with its way out, and one for all; nothing without filters. */
export function FilterChips({
  set,
  clear,
}: {
  readonly set: readonly SetFilter[];
  readonly clear: () => void;
}) {
  const say = useWords();
  if (set.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label={say("filter.set")}>
      {set.map(({ id, text, remove }) => (
        <li key={id}>
          <button
            type="button"
            className={styles.chip}
            onClick={remove}
            title={say("filter.remove", { name: text })}
          >
            <span className="hidden">{say("filter.remove", { name: "" })}</span>
            <span>{text}</span>
            <IconX size={14} aria-hidden />
          </button>
        </li>
      ))}
      <li>
        <Button variant="subtle" size="xs" onClick={clear}>
          {say("filter.clear")}
        </Button>
      </li>
    </ul>
  );
}

interface DayChips {
  readonly days: Days;
  readonly timeZone: string;
  readonly change: (days: Days) => void;
}

/** A range by its name as one, any other as its ends. */
export function dayChips({ days, timeZone, change }: DayChips, say: Say): readonly SetFilter[] {
  const { from, to } = days;
  const range = rangeOf(days, dayIn(timeZone));
  if (range) {
    return [{ id: "range", text: say(`filter.range.${range}`), remove: () => change({ from: "", to: "" }) }];
  }
  const chip = (name: "from" | "to", day: string) => ({
    id: name,
    text: `${say(`filter.${name}`)} ${date(day)}`,
    remove: () => change({ ...days, [name]: "" }),
  });
  return [...(from === "" ? [] : [chip("from", from)]), ...(to === "" ? [] : [chip("to", to)])];
}
