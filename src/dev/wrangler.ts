/** Wrangler as a child: its commands, and the server that stays. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { root, SetupError, toolEnvironment } from "./setup.mjs";

const CONFIG = join(root, "wrangler.toml");
// npx would stand between: whoever kills it leaves wrangler behind, holding the port.
const WRANGLER = join(root, "node_modules/wrangler/bin/wrangler.js");
const STOP_WITHIN_MS = 5_000;

const running = new Set<ChildProcess>();

function startWrangler(args: readonly string[], output: "pipe" | "inherit"): ChildProcess {
  const child = spawn(process.execPath, [WRANGLER, ...args, "--config", CONFIG], {
    cwd: root,
    env: toolEnvironment(process.execPath),
    stdio: ["ignore", output, output],
  });
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

/** One command to its end; its output is shown only when it fails. */
async function runWrangler(args: readonly string[]): Promise<void> {
  const child = startWrangler(args, "pipe");
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const [code] = await once(child, "close");
  if (code !== 0) throw new SetupError(`wrangler ${args.join(" ")} failed:\n${output}`);
}

/** One after the other: they share the files of the local runtime. */
export async function applyMigrations(bindings: readonly string[], databases: string): Promise<void> {
  for (const binding of bindings) {
    await runWrangler(["d1", "migrations", "apply", binding, "--local", "--persist-to", databases]);
  }
}

export interface ServerOptions {
  readonly port: number;
  readonly databases: string;
  readonly secretsFile: string;
  readonly vars: Readonly<Record<string, string>>;
}

/** `wrangler dev`; resolves with the exit code if it ends. */
export function serve(options: ServerOptions): Promise<number | null> {
  const { port, databases, secretsFile, vars } = options;
  const args = ["dev", "--ip", "127.0.0.1", "--port", String(port), "--inspector-port", "0"];
  args.push("--persist-to", databases, "--env-file", secretsFile, "--log-level", "log");
  args.push("--show-interactive-dev-session=false");
  for (const [name, value] of Object.entries(vars)) args.push("--var", `${name}:${value}`);
  const child = startWrangler(args, "inherit");
  return once(child, "exit").then(([code]) => code as number | null);
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
