import { ColorInput as BareColorInput, type ColorInputProps } from "@mantine/core";
import { inPlace, PairOf } from "./fields.tsx";
import { useReadOnly } from "./read-only.tsx";

/** Its picker is large, so that only the page with a colour loads it. */
export function ColorInput(props: ColorInputProps) {
  if (useReadOnly()) return <PairOf field={props}>{props.value ?? props.defaultValue}</PairOf>;
  return <BareColorInput {...inPlace(props)} />;
}
