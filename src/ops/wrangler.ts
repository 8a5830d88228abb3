/** Wrangler as a child: its commands, and the server that stays. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { root, SetupError, toolEnvironment } from "./setup.mjs";

const CONFIG = join(root, "wrangler.toml");
const AUTHORITY_CONFIG = join(root, "src/sandbox/wrangler.toml");
// Not through npx: a killed npx leaves wrangler running on the port.
const WRANGLER = join(root, "node_modules/wrangler/bin/wrangler.js");
const CONSOLE = join(root, "src/web");
const VITE = join(root, "node_modules/vite/bin/vite.js");
const STOP_WITHIN_MS = 5_000;

const running = new Set<ChildProcess>();

function startWrangler(args: readonly string[], place = ["--config", CONFIG]): ChildProcess {
  const child = spawn(process.execPath, [WRANGLER, ...args, ...place], {
    cwd: root,
    env: toolEnvironment(process.execPath),
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

/** Runs one command and answers its output; errors are shown only if it fails. */
export async function runWrangler(args: readonly string[]): Promise<string> {
  const child = startWrangler(args);
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

export interface ProductOptions extends ServerOptions {
  /** Called with each mail of the product. */
  readonly mail: (mail: Readonly<Record<"to" | "subject" | "text", string>>) => void;
}

export interface Server {
  /** Resolves with the exit code if it ends. */
  readonly ended: Promise<number | null>;
  /** From here on its complaints are shown; those of the start are, if it ends before. */
  started(): void;
}

/** The product: `wrangler dev`. */
export function serve({ port, databases, secretsFile, vars, mail }: ProductOptions): Server {
  const child = startWrangler(["dev", ...devArgs(port, databases, vars), "--env-file", secretsFile]);
  if (child.stdout) showProductLog(child.stdout, mail);
  return watched(child);
}

/** The sandbox tax authority. */
export function serveAuthority({ port, databases, vars }: Omit<ServerOptions, "secretsFile">): Server {
  const child = startWrangler(["dev", ...devArgs(port, databases, vars)], ["--config", AUTHORITY_CONFIG]);
  child.stdout?.resume();
  // Broken connections are its trade, and the runtime complains of each.
  return watched(child, () => undefined);
}

/** The console's built pages and its Function, which finds the product by the registry of running Workers. */
export function serveConsole({ port, databases }: Pick<ServerOptions, "port" | "databases">): Server {
  const args = [...localArgs(port, databases), "--log-level", "warn", "--show-interactive-dev-session=false"];
  // Pages reads its configuration only from its working directory.
  const child = startWrangler(["pages", "dev", ...args], ["--cwd", CONSOLE]);
  child.stdout?.resume();
  return watched(child);
}

/** Vite's build of the console, to its end. */
export async function buildConsole(): Promise<void> {
  const child = spawn(process.execPath, [VITE, "build", CONSOLE, "--logLevel", "warn"], {
    cwd: root,
    // A test starts it with NODE_ENV=test, with which Vite would build the development React.
    env: { ...toolEnvironment(process.execPath), NODE_ENV: "production" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  running.add(child);
  const [code] = await once(child, "exit");
  running.delete(child);
  if (code !== 0) throw new SetupError("The console could not be built; the messages stand above.");
}

function devArgs(port: number, databases: string, vars: Readonly<Record<string, string>>): string[] {
  const args = [...localArgs(port, databases), "--log-level", "log", "--show-interactive-dev-session=false"];
  for (const [name, value] of Object.entries(vars)) args.push("--var", `${name}:${value}`);
  return args;
}

function localArgs(port: number, databases: string): string[] {
  const args = ["--ip", "127.0.0.1", "--port", String(port), "--inspector-port", "0"];
  return [...args, "--persist-to", databases];
}

function watched(
  child: ChildProcess,
  show: (text: string) => void = (text) => process.stderr.write(text),
): Server {
  let complaints = "";
  let isStarted = false;
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    if (isStarted) show(text);
    else complaints += text;
  });
  const ended = once(child, "exit").then(([code]: (number | null)[]) => {
    if (!isStarted) process.stderr.write(complaints);
    return code ?? null;
  });
  const started = () => {
    isStarted = true;
  };
  return { ended, started };
}

/** Prints the product's own log lines from wrangler's output: one JSON object per line. */
function showProductLog(output: NodeJS.ReadableStream, mail: ProductOptions["mail"]): void {
  createInterface({ input: output }).on("line", (line) => {
    if (line.startsWith('{"level":"mail"')) mail(JSON.parse(line));
    else if (line.startsWith("{")) console.log(line);
  });
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
