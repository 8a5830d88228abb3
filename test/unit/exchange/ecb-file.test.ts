import { describe, expect, test } from "vitest";
import { readEcbFile } from "../../../src/work/rates/ecb-file.ts";
import { dailyXml, historyCsv, zipOf } from "../../support/builders/ecb.ts";

const DAY = "2026-03-05";
const RATES = [{ day: DAY, currency: "USD", rate: "1.1618" }];
const CSV = historyCsv({ [DAY]: { USD: "1.1618" } });

const bytesOf = (text: string) => new TextEncoder().encode(text);

test.each<[string, Uint8Array | Promise<Uint8Array>]>([
  ["the daily file", bytesOf(dailyXml(DAY, { USD: "1.1618" }))],
  ["the daily file with a byte order mark", bytesOf(`\uFEFF${dailyXml(DAY, { USD: "1.1618" })}`)],
  ["the history", bytesOf(CSV)],
  ["the history, packed", zipOf(CSV)],
  ["packed without compression", zipOf(CSV, { method: "stored" })],
  ["packed with a comment at the end", zipOf(CSV, { comment: "ECB" })],
])("read by its content: %s", async (_, bytes) => {
  expect(await readEcbFile(await bytes)).toEqual({ ok: true, value: RATES });
});

describe("refused", () => {
  test.each<[string, Uint8Array | Promise<Uint8Array>, string]>([
    ["an archive that unpacks to more than it says", zipOf(CSV, { announcedBytes: 10 }), "broken_zip"],
    ["to less", zipOf(CSV, { announcedBytes: 1_000 }), "broken_zip"],
    ["to more than the history can be", zipOf("x".repeat(5 * 1024 * 1024)), "broken_zip"],
    ["an archive of two files", zipOf(CSV, { entries: 2 }), "broken_zip"],
    ["an encrypted one", zipOf(CSV, { encrypted: true }), "broken_zip"],
    ["a truncated file", zipOf(CSV).then((zip) => zip.subarray(0, -30)), "broken_zip"],
    ["its directory missing", zipOf(CSV).then((zip) => zip.with(zip.length - 6, 255)), "broken_zip"],
    ["a byte changed in the packed data", zipOf(CSV).then((zip) => zip.with(48, 255)), "broken_zip"],
    ["two letters", bytesOf("PK"), "broken_zip"],
    ["a packed page", zipOf("<html></html>"), "unexpected_shape"],
    ["other bytes than text", Uint8Array.of(68, 255, 254), "not_text"],
    ["nothing", bytesOf(""), "date_column_missing"],
  ])("%s", async (_, bytes, reason) => {
    expect(await readEcbFile(await bytes)).toMatchObject({ ok: false, error: { reason } });
  });
});
