import { isCurrencyCode, type ReferenceRate, rateFrom } from "../domain/exchange/ecb-currencies.ts";
import { civilDateFrom } from "../domain/shared/civil-date.ts";
import type { Decimal } from "../domain/shared/decimal.ts";
import { err, ok, type Result } from "../domain/shared/result.ts";

export interface EcbXmlProblem {
  readonly reason: FileReason | CubeReason | "duplicate_currency";
  /** The element at fault, when it is one of many. */
  readonly element?: string;
}

type FileReason = "too_large" | "markup_not_allowed" | "unexpected_shape" | "invalid_day";
type CubeReason = "unexpected_attributes" | "invalid_currency" | "invalid_rate";

/** The daily file has 2 kB. It is ASCII: characters are bytes. */
const MAX_CHARACTERS = 64 * 1024;

/** Declarations, comments, CDATA and entities: the daily file has none, and they are where XML hides things. */
const FORBIDDEN_MARKUP = /<!|&/;

/**
 * The whole file from first to last character: an envelope, its titles, one day. Each repetition begins
 * with a character that the one before it cannot take, so a hostile file costs no backtracking.
 */
const DAILY_FILE = new RegExp(
  [
    /^\s*(?:<\?xml\s[^<>]*\?>\s*)?<gesmes:Envelope(?:\s[^<>]*)?>/,
    /(?:[^<>]*<\/?gesmes:(?:subject|Sender|name)>)*\s*<Cube>/,
    /\s*<Cube\s+time\s*=\s*["'](?<day>[\d-]+)["']\s*>/,
    /(?<cubes>(?:\s*<Cube\s[^<>]*\/>)+)/,
    /\s*<\/Cube>\s*<\/Cube>\s*<\/gesmes:Envelope>\s*$/,
  ]
    .map((part) => part.source)
    .join(""),
);

/**
 * Reads the form of `eurofxref-daily.xml`. No XML parser: the file has one fixed shape, and whatever departs
 * from it is refused whole, so that a rate is never taken from a place that only looks like one.
 */
export function parseEcbXml(text: string): Result<readonly ReferenceRate[], EcbXmlProblem> {
  if (text.length > MAX_CHARACTERS) return err({ reason: "too_large" });
  if (FORBIDDEN_MARKUP.test(text)) return err({ reason: "markup_not_allowed" });
  const { day: daySource, cubes } = DAILY_FILE.exec(text)?.groups ?? {};
  if (daySource === undefined || cubes === undefined) return err({ reason: "unexpected_shape" });
  const day = civilDateFrom(daySource);
  if (day === undefined) return err({ reason: "invalid_day" });
  const rates = new Map<string, ReferenceRate>();
  for (const [element] of cubes.matchAll(/<[^<>]*>/g)) {
    const cube = readCube(element);
    if (!cube.ok) return err({ reason: cube.error, element });
    const { currency, rate } = cube.value;
    if (rates.has(currency)) return err({ reason: "duplicate_currency", element });
    rates.set(currency, { day, currency, rate });
  }
  return ok([...rates.values()]);
}

interface Cube {
  readonly currency: string;
  readonly rate: Decimal;
}

function readCube(element: string): Result<Cube, CubeReason> {
  const attributes = attributesOf(element.slice("<Cube".length, -"/>".length));
  const currency = attributes?.get("currency");
  const source = attributes?.get("rate");
  if (attributes?.size !== 2 || currency === undefined || source === undefined) {
    return err("unexpected_attributes");
  }
  if (!isCurrencyCode(currency)) return err("invalid_currency");
  const rate = rateFrom(source);
  return rate === undefined ? err("invalid_rate") : ok({ currency, rate });
}

const ATTRIBUTE = /\s+([a-z]+)\s*=\s*(?:'([^']*)'|"([^"]*)")/g;

/** By name, in any order and either quote; undefined when one is there twice or anything else is. */
function attributesOf(source: string): ReadonlyMap<string, string> | undefined {
  if (source.replace(ATTRIBUTE, "").trim() !== "") return undefined;
  const found = [...source.matchAll(ATTRIBUTE)];
  const attributes = new Map(found.map(([, name = "", single, double = ""]) => [name, single ?? double]));
  return attributes.size === found.length ? attributes : undefined;
}
