import { Modal, type ModalProps } from "@mantine/core";
import { type ReactNode, useId } from "react";
import { useWords } from "../words/words.tsx";
import { askToLeave, UnsavedScope } from "./unsaved.tsx";

interface FormDialogProps extends Pick<ModalProps, "size"> {
  readonly title: string;
  readonly close: () => void;
  readonly children: ReactNode;
}

/** A dialog with a form: closing it loses nothing without a question. */
export function FormDialog({ title, close, children, ...modal }: FormDialogProps) {
  const say = useWords();
  const scope = useId();
  return (
    <UnsavedScope value={scope}>
      <Modal
        {...modal}
        opened
        onClose={() => askToLeave(close, { scope })}
        title={title}
        closeButtonProps={{ "aria-label": say("close") }}
      >
        {children}
      </Modal>
    </UnsavedScope>
  );
}
