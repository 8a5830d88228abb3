import { Button, Modal } from "@mantine/core";
import { useWords, type WordId } from "../../words/words.tsx";
import { SecretDialog } from "./secret-dialog.tsx";

/** The secret of an address, as its owner sees it. */
export interface HookSecret {
  /** Undefined where it was shown before: it is shown once. */
  readonly secret: string | undefined;
  /** The text shown instead. */
  readonly shownBefore: WordId;
}

interface HookSecretDialogProps {
  readonly told: HookSecret | undefined;
  readonly close: () => void;
}

export function HookSecretDialog({ told, close }: HookSecretDialogProps) {
  const say = useWords();
  const isShownBefore = told !== undefined && told.secret === undefined;
  return (
    <>
      <SecretDialog
        title={say("hooks.secret")}
        lead={say("hooks.secret.lead")}
        secret={told?.secret}
        done={say("hooks.secret.done")}
        close={close}
      />
      <Modal
        opened={isShownBefore}
        onClose={close}
        title={say("hooks.secret")}
        closeButtonProps={{ "aria-label": say("close") }}
      >
        <div className="stack">
          {isShownBefore && <p>{say(told.shownBefore)}</p>}
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
