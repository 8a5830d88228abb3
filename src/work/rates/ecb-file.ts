import type { ReferenceRate } from "../../domain/exchange/ecb-currencies.ts";
import { err, type Result } from "../../domain/shared/result.ts";
import { type EcbCsvProblem, parseEcbCsv } from "./ecb-csv.ts";
import { type EcbXmlProblem, parseEcbXml } from "./ecb-xml.ts";
import { onlyFileOf } from "./zip.ts";

export type EcbFileProblem = EcbCsvProblem | EcbXmlProblem | { readonly reason: "not_text" | "broken_zip" };

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
