import { paths } from "./paths.ts";

const HERE = "https://console.invalid";

/** Only to a page of the console: an address of elsewhere would be somebody's trap. */
export function pageToReturnTo(search: URLSearchParams): string {
  const back = search.get("volver") ?? "";
  // As the browser will read it: it leaves out tabs and line breaks, and takes a backslash for a slash.
  const read = back.startsWith("/") && URL.canParse(back, HERE) ? new URL(back, HERE) : undefined;
  return read?.origin === HERE ? `${read.pathname}${read.search}${read.hash}` : paths.home;
}
