import { IconMinus, IconPlus } from "@tabler/icons-react";
import type { KeyboardEvent, ReactNode } from "react";
import { TextInput } from "../../../parts/fields.tsx";
import { useWords } from "../../../words/words.tsx";
import { exact, isNothing, typeableCount } from "./lines-values.ts";
import styles from "./rectify-lines.module.css";

interface QuantityFieldProps {
  /** The description of its line. */
  readonly line: string;
  /** As typed. */
  readonly value: string;
  /** Exact. */
  readonly most: string;
  readonly error: ReactNode;
  readonly onChange: (typed: string) => void;
}

/** Pieces from 0 to what is left: typed, by the arrows, or by its two buttons. */
export function QuantityField({ line, value, most, error, onChange }: QuantityFieldProps) {
  const say = useWords();
  const now = Number(exact(value));
  const isReadable = Number.isFinite(now);
  const step = (by: number) => onChange(typeableCount(within((isReadable ? now : 0) + by, most)));
  function move(event: KeyboardEvent) {
    const next = movedBy(event, isReadable ? now : 0, most);
    if (next === undefined) return;
    event.preventDefault();
    onChange(typeableCount(next));
  }
  return (
    <TextInput
      className={styles.quantity}
      role="spinbutton"
      aria-label={say("byLines.quantity.of", { line })}
      aria-valuemin={0}
      aria-valuemax={Number(most)}
      aria-valuenow={isReadable ? now : 0}
      aria-valuetext={value === "" ? "0" : value}
      inputMode="decimal"
      autoComplete="off"
      value={value}
      placeholder="0"
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      onKeyDown={move}
      leftSection={
        <Step
          name={say("byLines.quantity.less", { line })}
          isAtEnd={isNothing(exact(value))}
          go={() => step(-1)}
        >
          <IconMinus size={16} aria-hidden />
        </Step>
      }
      rightSection={
        <Step name={say("byLines.quantity.more", { line })} isAtEnd={now >= Number(most)} go={() => step(1)}>
          <IconPlus size={16} aria-hidden />
        </Step>
      }
      leftSectionPointerEvents="all"
    />
  );
}

interface StepProps {
  readonly name: string;
  readonly isAtEnd: boolean;
  readonly go: () => void;
  readonly children: ReactNode;
}

/** For the pointer: with the keyboard the arrows do the same in the field. */
function Step({ name, isAtEnd, go, children }: StepProps) {
  return (
    <button
      type="button"
      className={styles.step}
      tabIndex={-1}
      aria-label={name}
      disabled={isAtEnd}
      onClick={go}
    >
      {children}
    </button>
  );
}

/** Where a key leads. With Shift the ends of the text are meant, which the field has for itself. */
function movedBy({ key, shiftKey }: KeyboardEvent, now: number, most: string): string | undefined {
  if (shiftKey) return undefined;
  switch (key) {
    case "ArrowUp":
      return within(now + 1, most);
    case "ArrowDown":
      return within(now - 1, most);
    case "Home":
      return "0";
    case "End":
      return most;
    // It is easily pressed after a number, and the act is final.
    case "Enter":
      return within(now, most);
    default:
      return undefined;
  }
}

/** Within 0 and what is left, exactly as the latter is written. */
function within(next: number, most: string): string {
  if (next >= Number(most)) return most;
  // A quantity has six decimals at most.
  return next <= 0 ? "0" : String(Math.round(next * 1e6) / 1e6);
}
