import { Button, Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { useWords } from "../../words/words.tsx";
import styles from "./settings.module.css";

interface ConfirmDialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly close: () => void;
  /** The label of the confirming button. */
  readonly act: string;
  readonly isBusy: boolean;
  readonly confirm: () => void;
  readonly children: ReactNode;
}

/** Names the object and the irreversible effect before the action. */
export function ConfirmDialog({ title, isOpen, close, act, isBusy, confirm, children }: ConfirmDialogProps) {
  const say = useWords();
  return (
    <Modal opened={isOpen} onClose={close} title={title} closeButtonProps={{ "aria-label": say("close") }}>
      <div className="stack">
        <div className="stack">{children}</div>
        <div className="row">
          <Button variant="subtle" color="gray" onClick={close}>
            {say("cancel")}
          </Button>
          <Button className={`end ${styles.danger}`} loading={isBusy} onClick={confirm}>
            {act}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
