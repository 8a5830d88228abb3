import { pageToReturnTo } from "./page-to-return-to.ts";
import { paths } from "./paths.ts";

const KEY = "cuadre.volver";

/** Keeps the page that a new user wanted, because the link of the mail opens another one. */
export function keepForLater(search: URLSearchParams): void {
  const back = search.get("volver");
  if (back) window.localStorage.setItem(KEY, back);
}

/** Once; to a company of one's own where it was nowhere. */
export function pageAfterSignUp(): string {
  const back = window.localStorage.getItem(KEY);
  window.localStorage.removeItem(KEY);
  return back ? pageToReturnTo(new URLSearchParams({ volver: back })) : paths.newCompany;
}
