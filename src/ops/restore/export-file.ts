/** The frame of an exported file: two comments before the statements, one after. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { SetupError } from "../setup.mjs";

export interface ExportHead {
  readonly ledger: string;
  readonly accounts: readonly string[];
  /** Years retired since the moment, as `ac... 2019`. */
  readonly yearsLeft: readonly string[];
}

const FIRST_LINE = "-- cuadre restore, ledger ([0-9a-z]{3}), accounts ([0-9a-z ]*)";
const SECOND_LINE = "-- years that left since: ([0-9a-z, ]*)";
const HEAD = new RegExp(`^${FIRST_LINE}\n${SECOND_LINE}\n`);
const NONE = "none";
/** Every account is named in it. */
const HEAD_BYTES = 1 << 20;

export function headText({ ledger, accounts, yearsLeft }: ExportHead): string {
  return `-- cuadre restore, ledger ${ledger}, accounts ${accounts.join(" ")}
-- years that left since: ${yearsLeft.join(", ") || NONE}
`;
}

/** A file without it was not written to its end. */
export const END_TEXT = "-- complete\n";

/** With a mode of its own, and never over another file. */
export function createExport(file: string): number {
  try {
    return openSync(file, "wx", 0o600);
  } catch (error) {
    const isThere = error instanceof Error && "code" in error && error.code === "EEXIST";
    const why = isThere ? "it is there already" : "is there such a folder, and may you write in it?";
    throw new SetupError(`${file} cannot be written: ${why}`);
  }
}

/** Undefined for a file that is no export. */
export function readHead(file: string): ExportHead | undefined {
  const start = Buffer.alloc(HEAD_BYTES);
  const descriptor = openSync(file, "r");
  const size = readSync(descriptor, start);
  const end = Buffer.alloc(END_TEXT.length);
  readSync(descriptor, end, 0, end.length, Math.max(0, fstatSync(descriptor).size - end.length));
  closeSync(descriptor);
  const [, ledger, accounts, yearsLeft] = HEAD.exec(start.toString("utf8", 0, size)) ?? [];
  if (ledger === undefined || accounts === undefined || yearsLeft === undefined) return undefined;
  if (end.toString("utf8") !== END_TEXT) throw new SetupError(`${file} was not written to its end.`);
  return { ledger, accounts: listed(accounts, " "), yearsLeft: listed(yearsLeft, ", ") };
}

function listed(text: string, between: string): readonly string[] {
  return text === "" || text === NONE ? [] : text.split(between);
}
