/** Wrangler as a child process: its commands, and the end of all children. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { root, SetupError, toolEnvironment } from "./setup.mjs";

export const CONFIG = join(root, "wrangler.toml");
// Not through npx: a killed npx leaves wrangler running on the port.
const WRANGLER = join(root, "node_modules/wrangler/bin/wrangler.js");
const STOP_WITHIN_MS = 5_000;

const running = new Set<ChildProcess>();

export type Texts = Readonly<Record<string, string>>;

/** A wrangler that `stopWrangler` ends. */
export function startWrangler(args: readonly string[], environment: Texts = {}): ChildProcess {
  const child = spawn(process.execPath, [WRANGLER, ...args], {
    cwd: root,
    env: { ...toolEnvironment(process.execPath), ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return endedWithTheRest(child);
}

/** From now on `stopWrangler` ends the child too. */
export function endedWithTheRest(child: ChildProcess): ChildProcess {
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

/** Runs one command and answers its output; errors are shown only if it fails. */
export async function runWrangler(args: readonly string[]): Promise<string> {
  const child = startWrangler([...args, "--config", CONFIG]);
  let output = "";
  let answer = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    answer += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new SetupError(`wrangler ${args.join(" ")} failed:\n${output}`);
  return answer;
}

/** SIGTERM lets wrangler end its runtime; only then SIGKILL. */
export async function stopWrangler(): Promise<void> {
  const stopping = [...running].map(async (child) => {
    const killer = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN_MS);
    child.kill("SIGTERM");
    await once(child, "exit");
    clearTimeout(killer);
  });
  await Promise.all(stopping);
}
