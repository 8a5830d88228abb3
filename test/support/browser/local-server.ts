import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toolEnvironment } from "../../../src/ops/setup.mjs";
import { demandNoLeaks, knownToTests, logScanner } from "../log-scan/local.ts";
import { newLogScan } from "../log-scan/scan.ts";
import { REPOSITORY } from "../rules/sources.ts";
import { freePorts } from "./free-ports.ts";
import { fetchPatiently } from "./patience.ts";

/** The product as `npm start` runs it, on free ports and in a folder of its own. */

interface DemoConnection {
  readonly id: string;
  readonly key: string;
}

/** A connection that takes orders of a shop in its own form. */
interface DemoShop {
  readonly address_url: string;
  readonly secret: string;
  readonly connection: DemoConnection;
}

/** STATE_DIR/demo.json. */
export interface Demo {
  readonly api_url: string;
  readonly console_url: string;
  readonly authority_url: string;
  readonly owner: { readonly email: string; readonly password: string };
  readonly connections: {
    readonly api: DemoConnection;
    readonly api_unconsented: DemoConnection;
    readonly commerce: DemoConnection & { readonly origin: string };
    readonly commerce_new: DemoConnection;
    readonly accounting: DemoConnection;
    readonly profiled: DemoConnection;
  };
  readonly shops: Readonly<
    Record<
      "woocommerce" | "shopify" | "prestashop" | "magento",
      DemoShop & { readonly fetching: DemoShop & { readonly sandbox_url: string } }
    >
  >;
}

export interface LocalServer {
  readonly demo: Demo;
  readonly stateDir: string;
  /** SIGKILL for the whole process group, as when the machine loses power; the state stays. */
  kill(): Promise<void>;
  /** Starts again on the same state and ports. */
  restart(): Promise<void>;
  /** Ends it, in any state, and removes its state; throws when its log leaked something. */
  close(): Promise<void>;
}

/** How many ports a product needs. */
export const PORTS = 4;

export async function startLocalServer(ports?: readonly string[]): Promise<LocalServer> {
  const stateDir = mkdtempSync(join(tmpdir(), "cuadre-local-"));
  const [PORT, CONSOLE_PORT, AUTHORITY_PORT, SHOPS_PORT] = ports ?? (await freePorts(PORTS));
  const env = {
    ...toolEnvironment(process.execPath),
    PORT,
    CONSOLE_PORT,
    AUTHORITY_PORT,
    SHOPS_PORT,
    STATE_DIR: stateDir,
  };
  const scan = newLogScan(knownToTests());
  const scanLog = logScanner(stateDir, scan);
  let group = await startGroup(env);
  return {
    demo: JSON.parse(readFileSync(join(stateDir, "demo.json"), "utf8")),
    stateDir,
    kill: () => endGroup(group, "SIGKILL"),
    async restart() {
      await endGroup(group, "SIGKILL");
      group = await startGroup(env);
    },
    async close() {
      await endGroup(group, "SIGTERM");
      scanLog();
      rmSync(stateDir, { recursive: true, force: true });
      demandNoLeaks(scan);
    },
  };
}

interface Group {
  readonly leader: ChildProcess;
  readonly ended: Promise<void>;
  /** From here on its end is wanted. */
  readonly expectEnd: () => void;
}

/** Characters of its output that are kept. */
const LAST_WORDS = 6_000;

/** `detached` makes it the leader of a process group, which can be ended whole. */
async function startGroup(env: NodeJS.ProcessEnv): Promise<Group> {
  const leader = spawn(process.execPath, ["src/dev/start.ts"], {
    cwd: REPOSITORY,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let isExpected = false;
  const ended = new Promise<void>((done) => leader.once("close", () => done()));
  // Every later failure is caused by this one.
  leader.once("exit", (code) => {
    if (!isExpected) console.error(`the local server ended by itself with ${code}:\n${output}`);
  });
  await new Promise<void>((ready, failed) => {
    const hear = (text: string) => {
      output = (output + text).slice(-LAST_WORDS);
      if (output.includes("Cuadre is running.")) ready();
    };
    leader.stdout.setEncoding("utf8").on("data", hear);
    leader.stderr.setEncoding("utf8").on("data", hear);
    leader.once("exit", (code) => failed(new Error(`the local server ended with ${code}:\n${output}`)));
  });
  const expectEnd = () => {
    isExpected = true;
  };
  return { leader, ended, expectEnd };
}

/** `close` comes when the last process with the output has ended: wrangler and workerd, too. */
async function endGroup({ leader, ended, expectEnd }: Group, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  expectEnd();
  const sent = signalGroup(leader, signal);
  if (!sent) return;
  const last = setTimeout(() => signalGroup(leader, "SIGKILL"), 10_000);
  await ended;
  clearTimeout(last);
}

function signalGroup(leader: ChildProcess, signal: NodeJS.Signals): boolean {
  try {
    return leader.pid !== undefined && process.kill(-leader.pid, signal);
  } catch {
    // No process of the group is left.
    return false;
  }
}

/** A call of a shop or a program. Every call is idempotent, so that it may be sent again. */
export async function callDemo(
  { api_url: url }: Demo,
  key: string,
  path: string,
  body?: unknown,
): Promise<{ readonly status: number; readonly ok: boolean; readonly data: Record<string, unknown> }> {
  const headers = { "Content-Type": "application/json", "X-API-KEY": key };
  const sent = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  const answer = await fetchPatiently(url + path, sent);
  const { data } = Object(await answer.json());
  return { status: answer.status, ok: answer.ok, data: Object(data) };
}
