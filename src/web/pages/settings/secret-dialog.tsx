import { Button, Modal } from "@mantine/core";
import { CopyIcon } from "../../parts/copy-text.tsx";
import { useWords } from "../../words/words.tsx";
import styles from "./settings.module.css";

interface SecretDialogProps {
  readonly title: string;
  readonly lead: string;
  /** Undefined: nothing to show. */
  readonly secret: string | undefined;
  /** The label of the closing button. */
  readonly done: string;
  readonly close: () => void;
}

/** Shows a secret once; only the confirmation that it is stored closes the dialog. */
export function SecretDialog({ title, lead, secret, done, close }: SecretDialogProps) {
  const say = useWords();
  return (
    <Modal
      opened={secret !== undefined}
      onClose={() => {}}
      title={title}
      size="lg"
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <div className="stack">
        <p>{lead}</p>
        <div className={styles.secret}>
          <span style={{ flex: 1 }} data-secret>
            {secret}
          </span>
          <CopyIcon text={secret ?? ""} what={title} />
        </div>
        <p className="muted small">{say("step1.key.safe")}</p>
        <div className="row">
          <Button className="end" onClick={close} data-autofocus>
            {done}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
