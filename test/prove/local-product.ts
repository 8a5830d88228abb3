/** `npm start` in a folder of its own, to be killed at any moment and started again. */
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { root } from "../../src/dev/setup.mjs";
import { knownToTests } from "../support/log-scan/known.ts";
import { demandNoLeaks, scanOutput } from "../support/log-scan/local.ts";
import { newLogScan } from "../support/log-scan/scan.ts";

export interface Demo {
  readonly api_url: string;
  readonly authority_url: string;
  readonly connections: Readonly<Record<string, { readonly id: string; readonly key: string }>>;
}

export interface LocalProduct {
  readonly demo: Demo;
  /**
   * SIGKILL to all of it: npm start, wrangler, the runtimes, nothing of which can finish anything. Throws when the
   * log has given something away.
   */
  kill(): Promise<void>;
}

export interface Place {
  readonly stateDir: string;
  readonly port: number;
  readonly env: Readonly<Record<string, string>>;
}

const READY_WITHIN_MS = 300_000;
const scan = newLogScan(knownToTests());

export async function startProduct({ stateDir, port, env }: Place): Promise<LocalProduct> {
  const child = spawn(process.execPath, [join(root, "src/dev/launch.mjs")], {
    cwd: root,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      ...env,
      STATE_DIR: stateDir,
      PORT: String(port),
      CONSOLE_PORT: String(port + 1),
      AUTHORITY_PORT: String(port + 2),
    },
  });
  child.stderr.pipe(process.stderr);
  scanOutput(child, scan);
  const { pid } = child;
  if (pid === undefined) throw new Error("npm start could not be started");
  let hasEnded = false;
  child.once("exit", () => {
    hasEnded = true;
  });
  const demoFile = join(stateDir, "demo.json");
  const deadline = Date.now() + READY_WITHIN_MS;
  while (
    !existsSync(demoFile) ||
    !(await answers(`http://127.0.0.1:${port}/health`)) ||
    !(await answers(`http://127.0.0.1:${port + 2}/control`))
  ) {
    if (hasEnded || Date.now() > deadline) throw new Error("npm start did not become ready");
    await delay(200);
  }
  const demo: Demo = JSON.parse(readFileSync(demoFile, "utf8"));
  return {
    demo,
    async kill() {
      // The local server may have died by itself: the next start begins from what is there all the same.
      if (!hasEnded) process.kill(-pid, "SIGKILL");
      while (!hasEnded || (await answers(`http://127.0.0.1:${port}/health`))) await delay(50);
      demandNoLeaks(scan);
    },
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}
