import {
  Select as BareSelect,
  TextInput as BareTextInput,
  type SelectProps,
  type TextInputProps,
} from "@mantine/core";
import { IconAlertOctagon } from "@tabler/icons-react";
import type { ReactNode } from "react";
import styles from "./parts.module.css";
import { Pair, useReadOnly } from "./read-only.tsx";

/**
 * The fields of every form. A wrong field has one look, whatever its kind: a border of 2 px in the colour of
 * errors, and in place of the hint an icon with the reason, which assistive technology reads with the field.
 * In a form that is read only a field is its name and its value.
 */
export function TextInput(props: TextInputProps) {
  if (useReadOnly()) return <PairOf field={props}>{props.value ?? props.defaultValue}</PairOf>;
  return <BareTextInput {...inPlace(props)} />;
}

export function Select(props: SelectProps) {
  if (useReadOnly()) return <PairOf field={props}>{chosenIn(props)}</PairOf>;
  return <BareSelect {...inPlace(props)} />;
}

/** The name of a field above it, or for those alone who do not see the field. */
export function fieldName(name: string, isLabelled: boolean) {
  return isLabelled ? { label: name } : { "aria-label": name };
}

function chosenIn({ data = [], value, placeholder }: SelectProps): string {
  const options = data.flatMap((one) => (typeof one === "object" && "group" in one ? [...one.items] : [one]));
  const chosen = options.find((one) => (typeof one === "string" ? one : one.value) === value);
  if (chosen === undefined) return placeholder ?? "";
  return typeof chosen === "object" && "label" in chosen ? chosen.label : String(value);
}

interface PairOfProps {
  readonly field: { readonly label?: ReactNode; readonly className?: string | undefined };
  readonly children: ReactNode;
}

/** A field as its name and value. */
export function PairOf({ field: { label, className }, children }: PairOfProps) {
  return (
    <Pair label={label} className={className}>
      {children}
    </Pair>
  );
}

interface Explained {
  readonly description?: ReactNode;
  readonly error?: ReactNode;
}

/** The error takes the place of the hint, below the field. */
export function inPlace<Props extends Explained>(props: Props) {
  return { ...inPlaceOf(props), inputWrapperOrder: ORDER };
}

const ORDER: ("label" | "input" | "description" | "error")[] = ["label", "input", "error", "description"];

/** Of a box or a switch, which have their own order. */
export function inPlaceOf<Props extends Explained>(props: Props): Props {
  const { error } = props;
  if (!error) return props;
  const said = typeof error === "boolean" ? error : <FieldError>{error}</FieldError>;
  return { ...props, error: said, description: null };
}

/** Why a field is wrong. A form finds its wrong fields by this mark. */
export function FieldError({ children }: { readonly children: ReactNode }) {
  return (
    <span className={styles.problem} data-problem>
      <IconAlertOctagon size={16} stroke={1.75} aria-hidden />
      <span>{children}</span>
    </span>
  );
}
