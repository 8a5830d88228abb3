/** The log of the product as `npm start` runs it. */
import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import type { LogScan } from "./scan.ts";

/** Of what it prints, objects are lines of the log; the rest are its own words, mails and keys of the demo among them. */
export function scanOutput({ stdout, stderr }: ChildProcess, scan: LogScan): void {
  if (stdout) {
    createInterface({ input: stdout }).on("line", (line) => {
      if (!line.startsWith("{")) return;
      // Whoever is killed in the middle of a line leaves half of one.
      if (line.endsWith("}")) scan.hear(line, "the local server");
      else scan.overhear(line, "the local server");
    });
  }
  if (stderr) {
    createInterface({ input: stderr }).on("line", (line) => scan.overhear(line, "the local server's errors"));
  }
}

export function demandNoLeaks({ leaks }: LogScan): void {
  if (leaks.length > 0) throw new Error(`the log gives away what it must not:\n${leaks.join("\n")}`);
}
