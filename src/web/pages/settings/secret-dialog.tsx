import { Button, Modal } from "@mantine/core";
import { CopyIcon } from "../../parts/copy-text.tsx";
import { useWords, type WordId } from "../../words/words.tsx";
import styles from "./settings.module.css";

interface SecretDialogProps {
  readonly title: string;
  readonly lead: string;
  /** Undefined: nothing to show. */
  readonly secret: string | undefined;
  /** The label of the closing button. */
  readonly done: string;
  /** Where to keep it. */
  readonly safe?: string;
  readonly close: () => void;
}

/** Shows a secret once; only the confirmation that it is stored closes the dialog. */
export function SecretDialog({ title, lead, secret, done, safe, close }: SecretDialogProps) {
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
        <p className="muted small">{safe ?? say("step1.key.safe")}</p>
        <div className="row">
          <Button className="end" onClick={close} data-autofocus>
            {done}
          </Button>
        </div>
      </div>
    </Modal>
  );
}

/** The secret of an address, as its owner sees it. */
export interface HookSecret {
  /** Undefined where it was shown before: it is shown once. */
  readonly secret: string | undefined;
  /** The text shown instead. */
  readonly shownBefore: WordId;
}

interface HookSecretDialogProps {
  readonly secret: HookSecret | undefined;
  readonly close: () => void;
}

export function HookSecretDialog({ secret, close }: HookSecretDialogProps) {
  const say = useWords();
  const isShownBefore = secret !== undefined && secret.secret === undefined;
  return (
    <>
      <SecretDialog
        title={say("hooks.secret")}
        lead={say("hooks.secret.lead")}
        secret={secret?.secret}
        done={say("hooks.secret.done")}
        safe={say("hooks.secret.safe")}
        close={close}
      />
      <Modal
        opened={isShownBefore}
        onClose={close}
        title={say("hooks.secret")}
        closeButtonProps={{ "aria-label": say("close") }}
      >
        <div className="stack">
          {isShownBefore && <p>{say(secret.shownBefore)}</p>}
          <div className="row">
            <Button className="end" onClick={close} data-autofocus>
              {say("close")}
            </Button>
          </div>
        </div>
      </Modal>
    </>
  );
}
