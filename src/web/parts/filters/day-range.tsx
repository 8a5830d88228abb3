import { useCompany } from "../../app/session.tsx";
import { dayIn } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import { DateField } from "../date-field.tsx";
import { fieldName, Select } from "../fields.tsx";
import { type Days, daysOf, RANGES, rangeOf } from "./ranges.ts";

interface DayRangeProps {
  readonly days: Days;
  readonly onChange: (days: Days) => void;
  readonly className?: string | undefined;
  /** Labels above the fields, as in a drawer; otherwise in them. */
  readonly isLabelled?: boolean;
}

/** From a day to a day, or a range by its name. */
export function DayRange({ days, onChange, className, isLabelled = false }: DayRangeProps) {
  const say = useWords();
  const { account } = useCompany();
  const today = dayIn(account.timeZone);
  const range = say("filter.range");
  const field = { className, isNamedInside: !isLabelled, isWholeYear: true, clearable: true } as const;
  return (
    <>
      <Select
        {...(className ? { className } : {})}
        {...fieldName(range, isLabelled)}
        placeholder={range}
        data={RANGES.map((value) => ({ value, label: say(`filter.range.${value}`) }))}
        value={rangeOf(days, today) ?? null}
        onChange={(value) => {
          const chosen = RANGES.find((one) => one === value);
          if (chosen) onChange(daysOf(chosen, today));
        }}
        allowDeselect={false}
      />
      <DateField
        {...field}
        label={say("filter.from")}
        value={days.from}
        // The later change wins: the other end of a range that would be empty is open again.
        onChange={(from) => onChange({ from, to: days.to !== "" && days.to < from ? "" : days.to })}
      />
      <DateField
        {...field}
        label={say("filter.to")}
        value={days.to}
        onChange={(to) => onChange({ from: to !== "" && days.from > to ? "" : days.from, to })}
      />
    </>
  );
}
