import { Button, Modal } from "@mantine/core";
import { createContext, useContext, useEffect, useId, useSyncExternalStore } from "react";
import { useBlocker } from "react-router";
import { useWords, type WordId } from "../words/words.tsx";

interface Edited {
  readonly question: WordId;
  /** The dialog with the form, "" for the page itself. */
  readonly scope: string;
}

/** The forms on the screen with values that are not saved. */
const edited = new Map<string, Edited>();

/** The dialog that a form is in. */
export const UnsavedScope = createContext("");

/**
 * The one guard of every form: while it is edited, a link, the way back, closing its dialog or the window and
 * another company ask first. A form that is being saved or was saved is not edited.
 */
export function useUnsaved(isEdited: boolean, question: WordId = "leave_unsaved"): void {
  const id = useId();
  const scope = useContext(UnsavedScope);
  useEffect(() => {
    if (!isEdited) return undefined;
    edited.set(id, { question, scope });
    return () => void edited.delete(id);
  }, [id, isEdited, question, scope]);
}

interface Asked {
  readonly question: WordId;
  readonly leave: () => void;
  readonly stay: () => void;
}

/** The question on the screen. */
let asked: Asked | undefined;
const watchers = new Set<() => void>();

function ask(next: Asked | undefined): void {
  asked = next;
  for (const notify of watchers) notify();
}

function watch(notify: () => void): () => void {
  watchers.add(notify);
  return () => watchers.delete(notify);
}

interface LeaveOptions {
  /** The dialog that is closed; without it the page is left with all its dialogs. */
  readonly scope?: string;
  readonly stay?: () => void;
}

/** Goes on at once if nothing is edited there, else after the person has chosen to leave. */
export function askToLeave(leave: () => void, { scope, stay = () => {} }: LeaveOptions = {}): void {
  const left = [...edited].filter(([, form]) => scope === undefined || form.scope === scope);
  const [first] = left;
  if (!first) {
    leave();
    return;
  }
  ask({
    question: first[1].question,
    leave: () => {
      // Left forms are not asked about again by what follows, such as a reload.
      for (const [id] of left) edited.delete(id);
      leave();
    },
    stay,
  });
}

/** Once, above all pages. */
export function LeaveGuard() {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (edited.size > 0) event.preventDefault();
    };
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, []);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      edited.size > 0 && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (blocker.state === "blocked") askToLeave(blocker.proceed, { stay: blocker.reset });
  }, [blocker]);
  const shown = useSyncExternalStore(watch, () => asked);
  return shown ? <Question {...shown} /> : null;
}

function Question({ question, leave, stay }: Asked) {
  const say = useWords();
  function choose(then: () => void) {
    ask(undefined);
    then();
  }
  return (
    <Modal
      opened
      onClose={() => choose(stay)}
      title={say(question)}
      // Above the dialog that is being closed.
      zIndex={400}
      closeButtonProps={{ "aria-label": say("close") }}
    >
      <div className="row">
        <Button variant="subtle" color="gray" onClick={() => choose(leave)}>
          {say("leave")}
        </Button>
        <Button className="end" onClick={() => choose(stay)} data-autofocus>
          {say("stay")}
        </Button>
      </div>
    </Modal>
  );
}
