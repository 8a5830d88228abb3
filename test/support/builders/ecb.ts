/** Files as the European Central Bank writes them, and the rate that holds for a payment. */
import type { RateFinder } from "../../../src/db/rates/rate-store.ts";
import {
  quotedOn,
  type RateLookup,
  rateOn,
  referenceDay,
} from "../../../src/domain/exchange/reference-rate.ts";
import type { CivilDate } from "../../../src/domain/shared/civil-date.ts";
import type { Instant } from "../../../src/domain/shared/instant.ts";

export type Quotes = Readonly<Record<string, string>>;

export function dailyXml(day: string, quotes: Quotes): string {
  const cubes = Object.entries(quotes).map(([code, rate]) => `<Cube currency='${code}' rate='${rate}'/>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01">
<gesmes:subject>Reference rates</gesmes:subject>
<Cube><Cube time='${day}'>${cubes.join("\n")}</Cube></Cube>
</gesmes:Envelope>
`;
}

/** Newest day first, a trailing comma on every line. */
export function historyCsv(days: Readonly<Record<string, Quotes>>): string {
  const codes = [...new Set(Object.values(days).flatMap((quotes) => Object.keys(quotes)))];
  const lines = Object.entries(days)
    .sort(([a], [b]) => b.localeCompare(a))
    .map(([day, quotes]) => `${[day, ...codes.map((code) => quotes[code] ?? "N/A")].join(",")},\n`);
  return `Date,${codes.map((code) => `${code},`).join("")}\n${lines.join("")}`;
}

export interface ZipOptions {
  readonly method?: "stored" | "deflated";
  readonly encrypted?: boolean;
  /** A false unpacked size in the directory. */
  readonly announcedBytes?: number;
  readonly entries?: number;
  readonly comment?: string;
}

/** An archive of one file, with a local header without sizes, as streaming packers write it. */
export async function zipOf(text: string, options: ZipOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
  const { method = "deflated", encrypted = false, entries = 1, comment = "" } = options;
  const content = new TextEncoder().encode(text);
  const packed = method === "stored" ? content : await deflated(content);
  const flags = 8 | (encrypted ? 1 : 0);
  const methodCode = method === "stored" ? 0 : 8;
  const name = ascii("eurofxref-hist.csv");
  const local = [...u32(0x04034b50), ...u16(20, flags, methodCode, 0, 0), ...u32(0, 0, 0)];
  local.push(...u16(name.length, 0), ...name);
  const directory = [...u32(0x02014b50), ...u16(20, 20, flags, methodCode, 0, 0), ...u32(0)];
  directory.push(...u32(packed.length, options.announcedBytes ?? content.length));
  directory.push(...u16(name.length, 0, 0, 0, 0), ...u32(0, 0), ...name);
  const end = [...u32(0x06054b50), ...u16(0, 0, entries, entries)];
  end.push(...u32(directory.length, local.length + packed.length), ...u16(comment.length), ...ascii(comment));
  const parts = [Uint8Array.from(local), packed, Uint8Array.from(directory), Uint8Array.from(end)];
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

async function deflated(content: Uint8Array): Promise<Uint8Array> {
  const packed = new Blob([content]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

function ascii(text: string): number[] {
  return [...text].map((letter) => letter.charCodeAt(0));
}

function u16(...values: number[]): number[] {
  return values.flatMap((value) => [value & 255, value >> 8]);
}

function u32(...values: number[]): number[] {
  return values.flatMap((value) => [0, 8, 16, 24].map((shift) => (value >>> shift) & 255));
}

/** The rate of a payment in a currency other than the euro, by the rules that orders are decided with. */
export async function rateFor(
  { paidAt, currency }: { readonly paidAt: Instant; readonly currency: string },
  rates: RateFinder,
): Promise<RateLookup & { readonly day: CivilDate }> {
  const day = referenceDay(paidAt);
  const rows = await rates.find([{ day, currency }]);
  return { ...rateOn(day, currency, rows, quotedOn(day)), day };
}
