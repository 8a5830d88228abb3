import { SHOWN_TEXT_CHARACTERS } from "../limits.ts";

/** A shop's text, cut for a list of hundreds. */
export function shownText(text: string): string {
  const letters = [...text];
  return letters.length > SHOWN_TEXT_CHARACTERS
    ? `${letters.slice(0, SHOWN_TEXT_CHARACTERS - 1).join("")}…`
    : text;
}

/** A store with name and address cut for a list. */
export function shownStore<Store extends { readonly name?: string; readonly url?: string }>(
  store: Store,
): Store {
  const { name, url } = store;
  return {
    ...store,
    ...(name === undefined ? {} : { name: shownText(name) }),
    ...(url === undefined ? {} : { url: shownText(url) }),
  };
}
