import { isCurrencyCode, type ReferenceRate, rateFrom } from "../../domain/exchange/ecb-currencies.ts";
import { civilDateFrom } from "../../domain/shared/civil-date.ts";
import type { Decimal } from "../../domain/shared/decimal.ts";
import { err, ok, type Result } from "../../domain/shared/result.ts";

export type EcbXmlProblem =
  | { readonly reason: "too_large" | "markup_not_allowed" | "unexpected_shape" | "invalid_day" }
  /** `position` counts the rates of the file from 1. */
  | { readonly reason: CubeReason | "duplicate_currency"; readonly position: number };

type CubeReason = "unexpected_attributes" | "invalid_currency" | "invalid_rate";

/** The daily file has 2 kB. It is ASCII: characters are bytes. */
const MAX_CHARACTERS = 64 * 1024;

/** Declarations, comments, CDATA, entities: the daily file has none, and they are where XML hides things. */
const FORBIDDEN_MARKUP = /<!|&/;

/**
 * The whole file from first to last character: an envelope, its titles, one day. Each repetition ends at a
 * character that it cannot take itself, so a hostile file costs no backtracking.
 */
const DAILY_FILE = new RegExp(
  [
    /^\s*(?:<\?xml\s[^<>]*\?>\s*)?<gesmes:Envelope(?:\s[^<>]*)?>/,
    /(?:[^<>]*<\/?gesmes:(?:subject|Sender|name)>)*\s*<Cube>/,
    /\s*<Cube\s+time\s*=\s*(?<quote>["'])(?<day>[\d-]*)\k<quote>\s*>/,
    /(?<cubes>(?:\s*<Cube\s[^<>]*\/>)+)/,
    /\s*<\/Cube>\s*<\/Cube>\s*<\/gesmes:Envelope>\s*$/,
  ]
    .map((part) => part.source)
    .join(""),
);

const RATE_CUBE = /^<Cube\s+currency\s*=\s*(["'])([^"']*)\1\s+rate\s*=\s*(["'])([^"']*)\3\s*\/>$/;

/**
 * Reads the form of `eurofxref-daily.xml`. No XML parser: the file has one fixed shape. Any deviation is
 * refused as a whole, so that no rate comes from a lookalike.
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
    const position = rates.size + 1;
    const cube = readCube(element);
    if (!cube.ok) return err({ reason: cube.error, position });
    const { currency, rate } = cube.value;
    if (rates.has(currency)) return err({ reason: "duplicate_currency", position });
    rates.set(currency, { day, currency, rate });
  }
  return ok([...rates.values()]);
}

interface Cube {
  readonly currency: string;
  readonly rate: Decimal;
}

function readCube(element: string): Result<Cube, CubeReason> {
  const [, , currency, , source] = RATE_CUBE.exec(element) ?? [];
  if (currency === undefined || source === undefined) return err("unexpected_attributes");
  if (!isCurrencyCode(currency)) return err("invalid_currency");
  const rate = rateFrom(source);
  return rate === undefined ? err("invalid_rate") : ok({ currency, rate });
}
