import { Button, Modal } from "@mantine/core";
import { type RefObject, useEffect } from "react";
import { useBlocker } from "react-router";
import { useWords } from "../words/words.tsx";

interface LeaveDialogProps {
  readonly isDirty: boolean;
  /** True from the moment of the save: the page is left although its form is still filled. */
  readonly isSaved?: RefObject<boolean>;
}

/** Unsaved values are never lost without a warning, neither by a link nor by closing the window. */
export function LeaveDialog({ isDirty, isSaved }: LeaveDialogProps) {
  const say = useWords();
  useEffect(() => {
    if (!isDirty) return undefined;
    const ask = (event: BeforeUnloadEvent) => {
      if (!isSaved?.current) event.preventDefault();
    };
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isDirty, isSaved]);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isDirty && !isSaved?.current && currentLocation.pathname !== nextLocation.pathname,
  );
  if (blocker.state !== "blocked") return null;
  return (
    <Modal
      opened
      onClose={() => blocker.reset()}
      title={say("leave_unsaved")}
      closeButtonProps={{ "aria-label": say("close") }}
    >
      <div className="row">
        <Button variant="subtle" color="gray" onClick={() => blocker.proceed()}>
          {say("leave")}
        </Button>
        <Button className="end" onClick={() => blocker.reset()} data-autofocus>
          {say("stay")}
        </Button>
      </div>
    </Modal>
  );
}
