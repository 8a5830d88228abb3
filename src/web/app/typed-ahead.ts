/** The keys that a person typed before the field was loaded. */
export interface TypedAhead {
  readonly text: string;
  /** The key that ended it. */
  readonly end?: "Enter" | "Escape";
}

const NOTHING: TypedAhead = { text: "" };

/** The keys typed after the palette was opened and before its field, which is loaded, has the focus. */
let kept: TypedAhead | undefined;

function onKey(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, isComposing } = event;
  if (!kept || ctrlKey || metaKey || altKey || isComposing) return;
  const letters = [...kept.text];
  if (key === "Enter" || key === "Escape") kept = { ...kept, end: key };
  else if (key === "Backspace") kept = { text: letters.slice(0, -1).join("") };
  else if ([...key].length === 1) kept = { text: kept.text + key };
  else return;
  // They are not meant for what had the focus before.
  event.preventDefault();
  event.stopPropagation();
}

/** From now on the keys are kept, and nothing on the page gets them. */
export function keepTyped(): void {
  kept ??= NOTHING;
  window.addEventListener("keydown", onKey, true);
}

/** The keys kept so far; the next ones go where the focus is. */
export function takeTyped(): TypedAhead {
  const taken = kept ?? NOTHING;
  kept = undefined;
  window.removeEventListener("keydown", onKey, true);
  return taken;
}
