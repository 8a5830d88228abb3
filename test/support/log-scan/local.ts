/** The log of the product as `npm start` keeps it. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { LogScan } from "./scan.ts";

/** Scans what the log of a STATE_DIR has gained since the last call. Call it when nothing runs there. */
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
