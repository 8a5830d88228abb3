/** `npm start` in a folder of its own, to be killed at any moment and started again. */
import { spawn } from "node:child_process";
import { createWriteStream, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { root } from "../../src/ops/setup.mjs";
import { demandNoLeaks, knownToTests, logScanner } from "../support/log-scan/local.ts";
import { newLogScan } from "../support/log-scan/scan.ts";
import { goOn, ownGroup } from "../support/progress/progress.ts";

export interface Demo {
  readonly api_url: string;
  readonly console_url: string;
  readonly authority_url: string;
  readonly owner: { readonly email: string; readonly password: string };
  readonly connections: Readonly<Record<string, DemoConnection>>;
  /** By platform: one whose documents decide, and one that fetches. */
  readonly shops: Readonly<Record<string, DemoShop & { readonly fetching: DemoShop }>>;
}

export interface DemoConnection {
  readonly id: string;
  readonly key: string;
}

export interface DemoShop {
  readonly address_url: string;
  /** Signs deliveries. */
  readonly secret: string;
  readonly connection: DemoConnection;
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

const READY_WITHIN_MS = 900_000;
const scan = newLogScan(knownToTests());
const scanners = new Map<string, () => void>();

/** On its way to being ready, which it never is when it is killed before. */
export interface Starting {
  readonly ready: Promise<LocalProduct>;
  kill(): Promise<void>;
}

export function startProduct(place: Place): Promise<LocalProduct> {
  return beginProduct(place).ready;
}

export function beginProduct({ stateDir, port, env }: Place): Starting {
  mkdirSync(stateDir, { recursive: true });
  // The runtimes complain at length of every connection that a kill breaks off.
  const complaints = join(stateDir, "complaints.log");
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
      SHOPS_PORT: String(port + 3),
    },
  });
  child.stderr.pipe(createWriteStream(complaints));
  child.stdout.on("data", () => goOn());
  ownGroup(child.pid);
  const scanLog = scanners.get(stateDir) ?? logScanner(stateDir, scan);
  scanners.set(stateDir, scanLog);
  const { pid } = child;
  if (pid === undefined) throw new Error("npm start could not be started");
  let hasEnded = false;
  child.once("exit", () => {
    hasEnded = true;
  });
  const places = [`${port}/health`, `${port + 1}/control`, `${port + 2}/control`, `${port + 3}/requests`];
  const urls = places.map((path) => `http://127.0.0.1:${path}`);
  let isKilled = false;
  const kill = async () => {
    isKilled = true;
    // The local server may have died alone: the next start uses the existing state all the same.
    if (!hasEnded) process.kill(-pid, "SIGKILL");
    while (!hasEnded || (await Promise.all(urls.map(isServed))).includes(true)) await delay(50);
    scanLog();
    demandNoLeaks(scan);
  };
  const ready = untilReady(join(stateDir, "demo.json"), urls, () => hasEnded).then(
    (demo) => ({ demo, kill }),
    async (error) => {
      if (!isKilled) console.error(readFileSync(complaints, "utf8"));
      await kill();
      throw error;
    },
  );
  // A caller that kills it during its start does not wait for it.
  ready.catch(() => undefined);
  return { ready, kill };
}

async function untilReady(demoFile: string, urls: readonly string[], hasEnded: () => boolean): Promise<Demo> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!existsSync(demoFile) || (await Promise.all(urls.map(answers))).includes(false)) {
    if (hasEnded() || Date.now() > deadline) throw new Error("npm start did not become ready");
    await delay(200);
  }
  return JSON.parse(readFileSync(demoFile, "utf8"));
}

async function isServed(url: string): Promise<boolean> {
  try {
    await fetch(url);
    return true;
  } catch {
    return false;
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}
