import { SHOWN_TEXT_CHARACTERS } from "../limits.ts";

/** A text of a shop where a list shows it beside hundreds of others. */
export function shownText(text: string): string {
  const letters = [...text];
  return letters.length > SHOWN_TEXT_CHARACTERS
    ? `${letters.slice(0, SHOWN_TEXT_CHARACTERS - 1).join("")}…`
    : text;
}

/** A store whose name and address are cut to what a list shows. */
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
