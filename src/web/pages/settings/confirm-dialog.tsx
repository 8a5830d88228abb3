import { Button, Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { Form } from "../../parts/form.tsx";
import { useWords } from "../../words/words.tsx";
import styles from "./settings.module.css";

interface ConfirmDialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly close: () => void;
  /** The label of the confirming button. */
  readonly act: string;
  readonly isBusy: boolean;
  /** Nothing is lost by it. */
  readonly isHarmless?: boolean;
  readonly confirm: () => void;
  readonly children: ReactNode;
}

/** Names the object and the irreversible effect before the action. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const say = useWords();
  const { title, isOpen, close, act, isBusy, isHarmless = false, confirm, children } = props;
  return (
    <Modal opened={isOpen} onClose={close} title={title} closeButtonProps={{ "aria-label": say("close") }}>
      <Form className="stack" onSubmit={confirm}>
        <div className="stack">{children}</div>
        <div className="row">
          <Button variant="subtle" color="gray" onClick={close}>
            {say("cancel")}
          </Button>
          <Button className={`end ${isHarmless ? "" : styles.danger}`} type="submit" loading={isBusy}>
            {act}
          </Button>
        </div>
      </Form>
    </Modal>
  );
}
