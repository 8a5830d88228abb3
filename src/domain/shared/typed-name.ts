import { MAILED_NAME_CHARACTERS } from "../limits.ts";

/** Other scripts' full stops, and invisible characters. */
const STOPS = /[\u3002\uFF0E\uFF61]/gu;
const UNSEEN = /\p{Cf}|\u034F|\u115F|\u1160|\u3164/gu;

/** A full stop of any script, directly followed by another character. */
const STOP_INSIDE = /[.\u3002\uFF0E\uFF61](?=[^\s.,)])/gu;

/** No schema of a name takes more. */
const LONGEST = 250;

const SCHEME = /[a-z][a-z0-9+.-]*:\/|\b(?:https?|ftp|mailto|tel|sms|data|javascript):|\bwww\./i;
/** They end abbreviations such as `M.ª`; NFKC would turn them into letters and create host names. */
const ORDINALS = /[ªº]/gu;
const LABEL = "[a-z0-9\\p{L}](?:[a-z0-9\\p{L}-]*[a-z0-9\\p{L}])?";

/** Ends of names of hosts that programs for mail turn into links, besides every pair of letters. */
const ENDS =
  "com|net|org|info|biz|name|pro|edu|gov|mil|int|mobi|app|dev|xyz|online|site|shop|store|club|top|vip|icu|" +
  "link|click|live|news|blog|cloud|tech|space|website|page|work|world|today|fun|help|support|bank|finance|" +
  "pay|money|zone|zip|mov|cat|eus|gal|madrid|barcelona";
const HOST = new RegExp(`(?<![\\p{L}\\p{N}.])(?:${LABEL}\\.)+(?:[a-z]{2}|${ENDS})(?![\\p{L}\\p{N}])`, "iu");
/** A lower-case name with any ending: `evil.example` is a host, `Hnos.García` is not. */
const SMALL_HOST = /(?<![\p{L}\p{N}.])(?:[a-z0-9][a-z0-9-]+\.)+[a-z]{3,}(?![\p{L}\p{N}])/u;
const PATH = new RegExp(`${LABEL}\\.${LABEL}/`, "iu");

/**
 * Whether a typed name is only a name, without a scheme, a host or an address. Mails quote it to people who
 * never asked for them.
 */
export function isTypedName(text: string): boolean {
  // Before the patterns, which are slow on long texts.
  if (text.length > LONGEST) return false;
  const read = text.replace(ORDINALS, " ").normalize("NFKC").replace(UNSEEN, "").replace(STOPS, ".");
  if (/\p{Cc}/u.test(text) || read.includes("@")) return false;
  return ![SCHEME, HOST, SMALL_HOST, PATH].some((pattern) => pattern.test(read));
}

/** The name in a mail: quoted, in one line, cut, and without a part that mail programs would link. */
export function mailedName(text: string): string {
  const line = text
    .replace(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}«»"“”]+/gu, " ")
    .replace(STOP_INSIDE, ". ")
    .trim();
  const characters = [...line];
  const cut = characters.slice(0, MAILED_NAME_CHARACTERS).join("");
  return characters.length > MAILED_NAME_CHARACTERS ? `«${cut}…»` : `«${cut}»`;
}
