import {
  FileInput as BareFileInput,
  PasswordInput as BarePasswordInput,
  Textarea as BareTextarea,
  type FileInputProps,
  type PasswordInputProps,
  type TextareaProps,
} from "@mantine/core";
import { inPlace, PairOf } from "./fields.tsx";
import { useReadOnly } from "./read-only.tsx";

/** Fields that few pages have, apart from the others so that the first page need not load them. */
export function PasswordInput(props: PasswordInputProps) {
  return <BarePasswordInput {...inPlace(props)} />;
}

export function Textarea(props: TextareaProps) {
  if (useReadOnly()) return <PairOf field={props}>{props.value ?? props.defaultValue}</PairOf>;
  return <BareTextarea {...inPlace(props)} />;
}

export function FileInput(props: FileInputProps) {
  return <BareFileInput {...inPlace(props)} />;
}
