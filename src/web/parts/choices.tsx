import {
  Checkbox as BareCheckbox,
  Radio as BareRadio,
  Switch as BareSwitch,
  type CheckboxGroupProps,
  type CheckboxProps,
  type RadioGroupProps,
  type RadioProps,
  type SwitchProps,
} from "@mantine/core";
import { createContext, useContext } from "react";
import { useWords } from "../words/words.tsx";
import { inPlace, inPlaceOf, PairOf } from "./fields.tsx";
import { Pair, useReadOnly } from "./read-only.tsx";

/** Boxes, choices and switches, with the look of all fields. */
export function Checkbox(props: CheckboxProps) {
  const say = useWords();
  if (useReadOnly() && props.label) {
    return <PairOf field={props}>{say(props.checked ? "yes" : "no")}</PairOf>;
  }
  return <BareCheckbox {...inPlaceOf(props)} {...(props.error ? { "aria-invalid": true } : {})} />;
}

function CheckboxGroup(props: CheckboxGroupProps) {
  return <BareCheckbox.Group {...inPlace(props)} />;
}

Checkbox.Group = CheckboxGroup;

export function Switch(props: SwitchProps) {
  const say = useWords();
  if (useReadOnly()) return <PairOf field={props}>{say(props.checked ? "yes" : "no")}</PairOf>;
  return <BareSwitch {...inPlaceOf(props)} {...(props.error ? { "aria-invalid": true } : {})} />;
}

/** The value of the group around a choice. */
const Chosen = createContext<string | null | undefined>(undefined);

/** One of a group: the group says what is wrong. */
function One(props: RadioProps) {
  const chosen = useContext(Chosen);
  if (!useReadOnly()) return <BareRadio {...props} />;
  return props.value === chosen ? props.label : null;
}

function RadioGroup(props: RadioGroupProps) {
  const { value, label } = props;
  if (!useReadOnly()) return <BareRadio.Group {...inPlace(props)} />;
  return (
    <Chosen value={value}>
      <Pair label={label ?? props["aria-label"]}>{props.children}</Pair>
    </Chosen>
  );
}

export const Radio = { One, Group: RadioGroup, Card: BareRadio.Card, Indicator: BareRadio.Indicator };
