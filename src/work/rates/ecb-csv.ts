import { isCurrencyCode, type ReferenceRate, rateFrom } from "../../domain/exchange/ecb-currencies.ts";
import { type CivilDate, civilDateFrom } from "../../domain/shared/civil-date.ts";
import { err, ok, type Result } from "../../domain/shared/result.ts";

export type EcbCsvProblem =
  | { readonly reason: "too_large" | "no_rows" }
  | { readonly reason: HeaderReason | RowReason | "duplicate_day"; readonly line: number };

type HeaderReason = "date_column_missing" | "duplicate_column";
type RowReason = "wrong_cell_count" | "invalid_day" | "invalid_rate";

/** The whole history since 1999 has about 2 MB and grows by 75 kB a year. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

const NOT_QUOTED = "N/A";

/**
 * Reads the form of `eurofxref-hist.csv`: a day per line, a currency per column. All or nothing: a file
 * with one bad line is not the ECB's, and its other lines deserve no trust.
 */
export function parseEcbCsv(text: string): Result<readonly ReferenceRate[], EcbCsvProblem> {
  if (text.length > MAX_CHARACTERS) return err({ reason: "too_large" });
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
