import "@mantine/dates/styles.css";
import "dayjs/locale/es.js";
import "dayjs/locale/en-gb.js";
import { DateInput, DatesProvider } from "@mantine/dates";
import { IconCalendar } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { currentLanguage } from "../app/language.ts";
import { date } from "../words/format.ts";
import { useWords } from "../words/words.tsx";
import { inPlace } from "./fields.tsx";
import { Pair, useReadOnly } from "./read-only.tsx";

interface DateFieldProps {
  readonly id?: string;
  readonly label: string;
  readonly description?: string;
  readonly error?: ReactNode;
  /** `YYYY-MM-DD`; "" for none. */
  readonly value: string;
  readonly onChange: (date: string) => void;
  readonly max?: string;
  readonly min?: string;
  readonly disabled?: boolean;
  readonly clearable?: boolean;
  readonly className?: string | undefined;
  /** The name stands in the empty field, without a line above. */
  readonly isNamedInside?: boolean;
  /** A year has four digits, so that a list is not read for each digit that is typed. */
  readonly isWholeYear?: boolean;
}

/** A civil date, typed or picked, written as 27/11/2026. */
export function DateField({
  value,
  onChange,
  max,
  min,
  isNamedInside,
  isWholeYear,
  ...field
}: DateFieldProps) {
  const { className, label, ...other } = field;
  const say = useWords();
  const named = isNamedInside ? { "aria-label": label, placeholder: label } : { label };
  if (useReadOnly()) return <Pair label={field.label}>{value && date(value)}</Pair>;
  return (
    <DatesProvider settings={{ locale: currentLanguage() === "es" ? "es" : "en-gb", firstDayOfWeek: 1 }}>
      <DateInput
        {...inPlace({ ...other, ...named })}
        {...(className ? { className } : {})}
        // Without a name the button that empties the field is nothing to a screen reader.
        clearButtonProps={{ "aria-label": say("form.empty", { field: label }) }}
        maw={240}
        valueFormat="DD/MM/YYYY"
        dateParser={isWholeYear ? whole : parsed}
        leftSection={isNamedInside ? null : <IconCalendar size={16} aria-hidden />}
        leftSectionPointerEvents="none"
        value={value === "" ? null : value}
        onChange={(day) => onChange(day ?? "")}
        {...(max === undefined ? {} : { maxDate: max })}
        {...(min === undefined ? {} : { minDate: min })}
      />
    </DatesProvider>
  );
}

function whole(typed: string): string | null {
  return /\d{4}/.test(typed) ? parsed(typed) : null;
}

/** 27/11/2026, 27-11-26 or 2026-11-27; anything else is no date. */
function parsed(typed: string): string | null {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(typed.trim());
  const spanish = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{2}|\d{4})$/.exec(typed.trim());
  const [year, month, day] = iso ? iso.slice(1) : spanish ? spanish.slice(1).reverse() : [];
  if (!year || !month || !day) return null;
  const date = `${year.padStart(4, "20")}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const moment = new Date(`${date}T00:00:00Z`);
  return Number.isNaN(moment.getTime()) || moment.toISOString().slice(0, 10) !== date ? null : date;
}
