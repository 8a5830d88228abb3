import { type ComponentType, useCallback, useRef, useState } from "react";
import type { Area } from "../words/areas.ts";
import { loadWords, type Say, useWords } from "../words/words.tsx";

export type LazyDialog = ComponentType<{ readonly close: () => void }>;

/** The loader of a dialog with the words of its areas. */
export function dialog(areas: readonly Area[], load: () => Promise<LazyDialog>) {
  return async () => (await Promise.all([load(), loadWords(areas)]))[0];
}

/**
 * A dialog that is loaded when it is first opened. Closing it puts the focus back to where it was, or to the
 * element that is named where that one is gone by then.
 */
export function useLazyDialog(load: () => Promise<LazyDialog>) {
  const say = useWords();
  const [Shown, setShown] = useState<LazyDialog>();
  const from = useRef<HTMLElement>(null);
  const isOpen = useRef(false);
  const open = useCallback(
    (opener?: HTMLElement | null) => {
      if (isOpen.current) return;
      isOpen.current = true;
      const focused = document.activeElement;
      from.current = opener ?? (focused instanceof HTMLElement ? focused : null);
      load().then(
        (loaded) => setShown(() => loaded),
        (error: unknown) => {
          isOpen.current = false;
          void failed(error, say);
        },
      );
    },
    [load, say],
  );
  const close = useCallback(() => {
    isOpen.current = false;
    setShown(undefined);
    // Once the dialog, which holds the focus, is gone.
    setTimeout(() => from.current?.focus());
  }, []);
  return { open, shown: Shown && <Shown close={close} /> };
}

async function failed(error: unknown, say: Say): Promise<void> {
  const { showFailure } = await import("./save.ts");
  showFailure(error, say);
}
