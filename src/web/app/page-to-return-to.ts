import { paths } from "./paths.ts";

const HERE = "https://console.invalid";

/** Only a page of the console: an address elsewhere could be a trap. */
export function pageToReturnTo(search: URLSearchParams): string {
  const back = search.get("volver") ?? "";
  // As browsers read it: without tabs and line breaks, and with a backslash as a slash.
  const read = back.startsWith("/") && URL.canParse(back, HERE) ? new URL(back, HERE) : undefined;
  return read?.origin === HERE ? `${read.pathname}${read.search}${read.hash}` : paths.home;
}
