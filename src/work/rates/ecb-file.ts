import { isCurrencyCode, type ReferenceRate, rateFrom } from "../../domain/exchange/reference-rate.ts";
import { type CivilDate, civilDateFrom } from "../../domain/shared/civil-date.ts";
import type { Decimal } from "../../domain/shared/decimal.ts";
import { err, ok, type Result } from "../../domain/shared/result.ts";
import { readAtMost } from "../../platform/limits.ts";

type EcbFileProblem = EcbCsvProblem | EcbXmlProblem | { readonly reason: "not_text" | "broken_zip" };

/** As much as the parser of the history takes. */
const MAX_UNPACKED_BYTES = 4 * 1024 * 1024;

/** Reads every form of the ECB's rates; the content decides the form, not the name. */
export async function readEcbFile(
  bytes: Uint8Array,
): Promise<Result<readonly ReferenceRate[], EcbFileProblem>> {
  if (!startsWith(bytes, "PK")) return readText(bytes);
  const unpacked = await onlyFileOf(bytes, MAX_UNPACKED_BYTES);
  return unpacked === undefined ? err({ reason: "broken_zip" }) : readText(unpacked);
}

function readText(bytes: Uint8Array): Result<readonly ReferenceRate[], EcbFileProblem> {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return err({ reason: "not_text" });
  }
  return text.trimStart().startsWith("<") ? parseEcbXml(text) : parseEcbCsv(text);
}

function startsWith(bytes: Uint8Array, letters: string): boolean {
  return [...letters].every((letter, index) => bytes[index] === letter.charCodeAt(0));
}

type EcbCsvProblem =
  | { readonly reason: "too_large" | "no_rows" }
  | { readonly reason: HeaderReason | RowReason | "duplicate_day"; readonly line: number };

type HeaderReason = "date_column_missing" | "duplicate_column";
type RowReason = "wrong_cell_count" | "invalid_day" | "invalid_rate";

/** The whole history since 1999 has about 2 MB and grows by 75 kB a year. */
const MAX_CSV_CHARACTERS = 4 * 1024 * 1024;

const NOT_QUOTED = "N/A";

/**
 * Reads the form of `eurofxref-hist.csv`: a day per line, a currency per column. All or nothing: a file
 * with one bad line is not the ECB's, and its other lines deserve no trust.
 */
export function parseEcbCsv(text: string): Result<readonly ReferenceRate[], EcbCsvProblem> {
  if (text.length > MAX_CSV_CHARACTERS) return err({ reason: "too_large" });
  const lines = text.split("\n");
  const header = readHeader(cellsOf(lines[0] ?? ""));
  if (!header.ok) return err({ reason: header.error, line: 1 });
  const days = new Map<CivilDate, readonly ReferenceRate[]>();
  for (const [index, source] of lines.entries()) {
    if (index === 0 || source.trim() === "") continue;
    const line = index + 1;
    const row = readRow(cellsOf(source), header.value);
    if (!row.ok) return err({ reason: row.error, line });
    if (days.has(row.value.day)) return err({ reason: "duplicate_day", line });
    days.set(row.value.day, row.value.rates);
  }
  return days.size === 0 ? err({ reason: "no_rows" }) : ok([...days.values()].flat());
}

interface Header {
  readonly cellCount: number;
  readonly dayCell: number;
  readonly currencies: readonly { readonly cell: number; readonly currency: string }[];
}

/** Columns are found by name, because the ECB adds and reorders them; unknown names are ignored. */
function readHeader(names: readonly string[]): Result<Header, HeaderReason> {
  if (new Set(names).size !== names.length) return err("duplicate_column");
  const dayCell = names.indexOf("Date");
  if (dayCell === -1) return err("date_column_missing");
  const currencies = names.flatMap((currency, cell) =>
    isCurrencyCode(currency) ? [{ cell, currency }] : [],
  );
  return ok({ cellCount: names.length, dayCell, currencies });
}

interface Row {
  readonly day: CivilDate;
  readonly rates: readonly ReferenceRate[];
}

function readRow(cells: readonly string[], header: Header): Result<Row, RowReason> {
  if (cells.length !== header.cellCount) return err("wrong_cell_count");
  const day = civilDateFrom(cells[header.dayCell] ?? "");
  if (day === undefined) return err("invalid_day");
  const rates: ReferenceRate[] = [];
  for (const { cell, currency } of header.currencies) {
    const source = cells[cell] ?? "";
    if (source === NOT_QUOTED) continue;
    const rate = rateFrom(source);
    if (rate === undefined) return err("invalid_rate");
    rates.push({ day, currency, rate });
  }
  return ok({ day, rates });
}

/** `trim` also takes the carriage return and the byte order mark. Every line of the ECB ends in a comma. */
function cellsOf(line: string): string[] {
  const cells = line.split(",").map((cell) => cell.trim());
  if (cells.at(-1) === "") cells.pop();
  return cells;
}

type EcbXmlProblem =
  | { readonly reason: "too_large" | "markup_not_allowed" | "unexpected_shape" | "invalid_day" }
  /** `position` counts the rates of the file from 1. */
  | { readonly reason: CubeReason | "duplicate_currency"; readonly position: number };

type CubeReason = "unexpected_attributes" | "invalid_currency" | "invalid_rate";

/** The daily file has 2 kB. It is ASCII: characters are bytes. */
const MAX_XML_CHARACTERS = 64 * 1024;

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
  if (text.length > MAX_XML_CHARACTERS) return err({ reason: "too_large" });
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

/**
 * The one file of a ZIP archive, as the ECB packs its history. No more of the format than that: several
 * files, encryption and ZIP64 are refused with everything that is no archive.
 */
async function onlyFileOf(archive: Uint8Array, limitBytes: number): Promise<Uint8Array | undefined> {
  const entry = readDirectory(new DataView(archive.buffer, archive.byteOffset, archive.byteLength));
  if (entry === undefined || entry.sizeBytes > limitBytes) return undefined;
  const packed = archive.subarray(entry.start, entry.start + entry.packedBytes);
  const content = entry.method === STORED ? packed : await inflate(packed, entry.sizeBytes);
  return content?.length === entry.sizeBytes ? content : undefined;
}

interface Entry {
  readonly method: number;
  readonly start: number;
  readonly packedBytes: number;
  readonly sizeBytes: number;
}

const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED_FLAG = 1;

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;
const DIRECTORY_SIGNATURE = 0x02014b50;
const DIRECTORY_BYTES = 46;
const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_BYTES = 30;

/** The directory at the end counts: the local header may omit sizes. */
function readDirectory(view: DataView): Entry | undefined {
  const end = findEnd(view);
  if (end === undefined || view.getUint16(end + 10, true) !== 1) return undefined;
  const directory = view.getUint32(end + 16, true);
  if (directory + DIRECTORY_BYTES > end || view.getUint32(directory, true) !== DIRECTORY_SIGNATURE) {
    return undefined;
  }
  const method = view.getUint16(directory + 10, true);
  const isReadable = (method === STORED || method === DEFLATED) && !isEncrypted(view, directory);
  const local = view.getUint32(directory + 42, true);
  if (!isReadable || local + LOCAL_BYTES > directory) return undefined;
  if (view.getUint32(local, true) !== LOCAL_SIGNATURE) return undefined;
  const start = local + LOCAL_BYTES + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  const packedBytes = view.getUint32(directory + 20, true);
  if (start + packedBytes > directory) return undefined;
  return { method, start, packedBytes, sizeBytes: view.getUint32(directory + 24, true) };
}

/** A comment, usually empty, follows the end record. */
function findEnd(view: DataView): number | undefined {
  const last = view.byteLength - END_BYTES;
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT_BYTES); at -= 1) {
    if (view.getUint32(at, true) === END_SIGNATURE) return at;
  }
  return undefined;
}

function isEncrypted(view: DataView, directory: number): boolean {
  return (view.getUint16(directory + 8, true) & ENCRYPTED_FLAG) !== 0;
}

/** Stops at the announced size: an archive that unpacks to more is a bomb. */
async function inflate(packed: Uint8Array, sizeBytes: number): Promise<Uint8Array | undefined> {
  const unpacked = new Blob([new Uint8Array(packed)])
    .stream()
    .pipeThrough(new DecompressionStream("deflate-raw"));
  try {
    return (await readAtMost(unpacked, { mostBytes: sizeBytes })).bytes;
  } catch {
    return undefined;
  }
}
