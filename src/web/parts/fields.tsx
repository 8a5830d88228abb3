import {
  Checkbox as BareCheckbox,
  FileInput as BareFileInput,
  PasswordInput as BarePasswordInput,
  Radio as BareRadio,
  Select as BareSelect,
  Switch as BareSwitch,
  Textarea as BareTextarea,
  TextInput as BareTextInput,
  type CheckboxGroupProps,
  type CheckboxProps,
  type FileInputProps,
  type PasswordInputProps,
  type RadioGroupProps,
  type SelectProps,
  type SwitchProps,
  type TextareaProps,
  type TextInputProps,
} from "@mantine/core";
import { IconAlertOctagon } from "@tabler/icons-react";
import type { ReactNode } from "react";
import styles from "./parts.module.css";

/**
 * The fields of every form. A wrong field has one look, whatever its kind: a border of 2 px in the colour of
 * errors, and in place of the hint an icon with the reason, which assistive technology reads with the field.
 */
export function TextInput(props: TextInputProps) {
  return <BareTextInput {...inPlace(props)} />;
}

export function PasswordInput(props: PasswordInputProps) {
  return <BarePasswordInput {...inPlace(props)} />;
}

export function Textarea(props: TextareaProps) {
  return <BareTextarea {...inPlace(props)} />;
}

export function Select(props: SelectProps) {
  return <BareSelect {...inPlace(props)} />;
}

export function FileInput(props: FileInputProps) {
  return <BareFileInput {...inPlace(props)} />;
}

export function Checkbox(props: CheckboxProps) {
  return <BareCheckbox {...inPlaceOf(props)} {...(props.error ? { "aria-invalid": true } : {})} />;
}

function CheckboxGroup(props: CheckboxGroupProps) {
  return <BareCheckbox.Group {...inPlace(props)} />;
}

Checkbox.Group = CheckboxGroup;

export function Switch(props: SwitchProps) {
  return <BareSwitch {...inPlaceOf(props)} {...(props.error ? { "aria-invalid": true } : {})} />;
}

/** One of a group: the group says what is wrong. */
export const Radio = {
  One: BareRadio,
  Group: (props: RadioGroupProps) => <BareRadio.Group {...inPlace(props)} />,
  Card: BareRadio.Card,
  Indicator: BareRadio.Indicator,
};

interface Explained {
  readonly description?: ReactNode;
  readonly error?: ReactNode;
}

/** The error takes the place of the hint, below the field. */
export function inPlace<Props extends Explained>(props: Props) {
  return { ...inPlaceOf(props), inputWrapperOrder: ORDER };
}

const ORDER: ("label" | "input" | "description" | "error")[] = ["label", "input", "error", "description"];

function inPlaceOf<Props extends Explained>(props: Props): Props {
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
