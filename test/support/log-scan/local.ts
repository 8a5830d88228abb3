import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Known } from "./findings.ts";
import type { LogScan } from "./scan.ts";

/** The log of the product as `npm start` keeps it. */

/** Scans the new lines in the log of a STATE_DIR since the last call. Call it when nothing runs there. */
export function logScanner(stateDir: string, scan: LogScan): () => void {
  const file = join(stateDir, "log.jsonl");
  let scanned = 0;
  return () => {
    if (!existsSync(file)) return;
    const bytes = readFileSync(file);
    const lines = bytes.subarray(scanned).toString("utf8").split("\n").filter(Boolean);
    scanned = bytes.length;
    for (const line of lines) {
      // A kill in the middle of a line leaves half of it; complaints are wrangler's own words.
      const isOfProduct = line.endsWith("}") && !line.startsWith('{"level":"wrangler"');
      if (isOfProduct) scan.hear(line, "the local server");
      else scan.overhear(line, "the local server");
    }
  };
}

export function demandNoLeaks({ leaks }: LogScan): void {
  if (leaks.length > 0) throw new Error(`the log gives away what it must not:\n${leaks.join("\n")}`);
}

/** The names in the tests, collected from their sources, so that no list has to be kept. */

const ROOT = join(import.meta.dirname, "../../..");
const FOLDERS = ["test", "src/dev", "src/sandbox", "src/api/openapi"];
const SOURCE = /\.(ts|tsx|json)$/;

const NAMING = [
  ...["first_name", "last_name", "company", "legal_name", "vat_number", "address1", "city", "email", "phone"],
  ...["firstName", "lastName", "legalName", "vatNumber", "issuerName", "inviter"],
].join("|");
const NAMED = new RegExp(`\\b(?:${NAMING})"?\\s*[:=]\\s*"([^"\\n]+)"`, "g");
const PASSWORD = /\b(?:PASSWORD|password)"?\s*[:=]\s*"([^"\n]{6,})"/g;

/** Begins with a capital, or has letters and digits: other forms may be any code. */
const TELLING = /^(?=.*\p{L})(\p{Lu}.*\p{Ll}|.*\d)/u;
const WORD = /[\p{L}\p{N}]{3,}/gu;
/** The log's own words. */
const SAID = new Set(["Error", "Network"]);

export function knownToTests(): Known {
  const [words, phrases] = [new Set<string>(), new Set<string>()];
  for (const folder of FOLDERS) {
    for (const name of readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })) {
      if (!SOURCE.test(name)) continue;
      const text = readFileSync(join(ROOT, folder, name), "utf8");
      for (const [, named = ""] of text.matchAll(NAMED)) for (const word of telling(named)) words.add(word);
      for (const [, phrase = ""] of text.matchAll(PASSWORD)) phrases.add(phrase);
    }
  }
  return { words, phrases: [...phrases] };
}

function telling(text: string): string[] {
  return (text.match(WORD) ?? []).filter((word) => TELLING.test(word) && !SAID.has(word));
}
