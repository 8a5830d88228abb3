/** Wrangler as a child: its commands, and the server that stays. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { unstable_readConfig } from "wrangler";
import { root, SetupError, toolEnvironment } from "./setup.mjs";

const CONFIG = join(root, "wrangler.toml");
const OWNER_CONFIG = join(root, "src/console/wrangler.toml");
const AUTHORITY_CONFIG = join(root, "src/sandbox/wrangler.toml");
// Not through npx: a killed npx leaves wrangler running on the port.
const WRANGLER = join(root, "node_modules/wrangler/bin/wrangler.js");
const CONSOLE = join(root, "src/web");
const VITE = join(root, "node_modules/vite/bin/vite.js");
const STOP_WITHIN_MS = 5_000;

const running = new Set<ChildProcess>();

type Texts = Readonly<Record<string, string>>;

function startWrangler(args: readonly string[], environment: Texts = {}): ChildProcess {
  const child = spawn(process.execPath, [WRANGLER, ...args], {
    cwd: root,
    env: { ...toolEnvironment(process.execPath), ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
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

/** One after the other: they share the files of the local runtime. */
export async function applyMigrations(bindings: readonly string[], databases: string): Promise<void> {
  for (const binding of bindings) {
    await runWrangler(["d1", "migrations", "apply", binding, "--local", "--persist-to", databases]);
  }
}

interface ServerOptions {
  readonly port: number;
  readonly databases: string;
  /** The folder where the running Workers of this state find each other. */
  readonly registry: string;
  /** Hears what wrangler complains of once it has started. */
  readonly complain: (text: string) => void;
}

interface AuthorityOptions extends ServerOptions {
  readonly vars: Texts;
}

interface ProductOptions extends ServerOptions {
  /** Of each Worker those are taken that its configuration names. */
  readonly vars: Texts;
  /** Secrets of the API Worker. */
  readonly secretsFile: string;
  readonly ownerSecrets: Texts;
  /** Called with each line of the log. */
  readonly log: (line: string) => void;
  /** Called with each mail that the product would send. */
  readonly mail: (mail: Readonly<Record<"to" | "subject" | "text", string>>) => void;
}

export interface Server {
  /** Resolves with the exit code if it ends. */
  readonly ended: Promise<number | null>;
  /** From here on its complaints are shown; those of the start are, if it ends before. */
  started(): void;
}

/**
 * Both Workers in one `wrangler dev`, because two processes would write the same SQLite files. Port, `--var`
 * and `--env-file` reach the first only. The second declares `secrets`: wrangler reads these, and its [vars],
 * from the environment. All of them are set, so that no variable of the shell takes their place.
 */
export function serve({ vars, secretsFile, ownerSecrets, log, mail, ...options }: ProductOptions): Server {
  const known = valuesIn(CONFIG);
  const apiVars = Object.fromEntries(Object.entries(vars).filter(([name]) => name in known));
  const configs = ["--config", CONFIG, "--config", OWNER_CONFIG];
  const child = startWrangler(["dev", ...devArgs(options, apiVars), "--env-file", secretsFile, ...configs], {
    ...valuesIn(OWNER_CONFIG),
    ...vars,
    ...ownerSecrets,
    ...environmentFor(options),
  });
  if (child.stdout) hearProduct(child.stdout, { log, mail });
  return watched(child, options.complain);
}

function valuesIn(config: string): Texts {
  const { vars } = unstable_readConfig({ config });
  return Object.fromEntries(Object.entries(vars).map(([name, value]) => [name, String(value)]));
}

/** The sandbox tax authority, beside it. */
export function serveAuthority({ vars, ...options }: AuthorityOptions): Server {
  const args = ["dev", ...devArgs(options, vars), "--config", AUTHORITY_CONFIG];
  const child = startWrangler(args, environmentFor(options));
  child.stdout?.resume();
  // Broken connections are its trade, and the runtime complains of each.
  return watched(child, () => undefined);
}

/** The console's pages and its Function, which finds the owner Worker by the registry of running Workers. */
export function serveConsole(options: ServerOptions): Server {
  const args = [...localArgs(options), "--log-level", "warn", "--show-interactive-dev-session=false"];
  // Pages finds its configuration in the folder that it stands in, and nowhere else.
  const child = startWrangler(["pages", "dev", ...args, "--cwd", CONSOLE], environmentFor(options));
  child.stdout?.resume();
  return watched(child, options.complain);
}

function environmentFor({ registry }: Pick<ServerOptions, "registry">): Texts {
  return { WRANGLER_REGISTRY_PATH: registry };
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

function devArgs(options: Pick<ServerOptions, "port" | "databases">, vars: Texts): string[] {
  const args = [...localArgs(options), "--log-level", "log", "--show-interactive-dev-session=false"];
  for (const [name, value] of Object.entries(vars)) args.push("--var", `${name}:${value}`);
  return args;
}

function localArgs({ port, databases }: Pick<ServerOptions, "port" | "databases">): string[] {
  const args = ["--ip", "127.0.0.1", "--port", String(port), "--inspector-port", "0"];
  return [...args, "--persist-to", databases];
}

function watched(child: ChildProcess, complain: (text: string) => void): Server {
  let complaints = "";
  let isStarted = false;
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    if (isStarted) complain(text);
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

/** Wrangler puts the Worker's name in front of what it logs, where it serves several. */
const PRODUCT_LINE = /^(?:\[cuadre-[a-z-]+\] )?(\{.*)$/;

/** The product's own line in what wrangler prints: the log is JSON, one object a line. */
export function productLine(printed: string): string | undefined {
  return PRODUCT_LINE.exec(printed)?.[1];
}

function hearProduct(
  output: NodeJS.ReadableStream,
  { log, mail }: Pick<ProductOptions, "log" | "mail">,
): void {
  createInterface({ input: output }).on("line", (printed) => {
    const line = productLine(printed);
    if (line?.startsWith('{"level":"mail"')) mail(JSON.parse(line));
    else if (line !== undefined) log(line);
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
