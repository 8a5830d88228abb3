/** The servers of `npm start`: both Workers, sandbox authority, stand-in shops, the console's pages. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { unstable_readConfig } from "wrangler";
import { root, toolEnvironment } from "../ops/setup.mjs";
import { CONFIG, endedWithTheRest, startWrangler, type Texts } from "../ops/wrangler.ts";

const OWNER_CONFIG = join(root, "src/console/wrangler.toml");
const AUTHORITY_CONFIG = join(root, "src/sandbox/wrangler.toml");
const SHOPS = join(root, "src/sandbox/shops/serve.ts");
const CONSOLE = join(root, "src/web");

interface ServerOptions {
  readonly port: number;
  readonly databases: string;
  /** The folder in which the running Workers of this state find each other. */
  readonly registry: string;
  /** Receives wrangler's complaints after the start. */
  readonly complain: (text: string) => void;
}

interface AuthorityOptions extends ServerOptions {
  readonly vars: Texts;
}

interface ConsoleOptions extends ServerOptions {
  /** The folder of the built pages. */
  readonly site: string;
}

interface ShopsOptions extends Pick<ServerOptions, "port" | "complain"> {
  /** The file with the access to each shop. */
  readonly config: string;
  /** The file with the documents of the shops. */
  readonly journal: string;
}

/** A line of the log with a mail, as `mailer.ts` prints it. */
export interface PrintedMail extends Readonly<Record<"to" | "subject" | "text", string>> {
  readonly from?: string;
  readonly reply_to?: string;
  readonly message_id?: string;
  readonly attachments?: readonly {
    readonly name: string;
    readonly type: string;
    readonly size: number;
    readonly sha256: string;
  }[];
}

interface ProductOptions extends ServerOptions {
  /** Each Worker gets the variables that its configuration names. */
  readonly vars: Texts;
  /** Secrets of the API Worker. */
  readonly secretsFile: string;
  readonly ownerSecrets: Texts;
  /** Called with each line of the log. */
  readonly log: (line: string) => void;
  /** Called with each mail that the product would send. */
  readonly mail: (mail: PrintedMail) => void;
}

export interface Server {
  /** Resolves with the exit code if it ends. */
  readonly ended: Promise<number | null>;
  /** From here on complaints are shown; those of the start are shown only if it fails. */
  started(): void;
}

/**
 * Two processes would write the same SQLite files, so one `wrangler dev` runs both Workers. Port, `--var` and
 * `--env-file` reach only the first; the second reads its variables from the environment. All are set, so
 * that no variable of the shell replaces them.
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
  if (child.stdout) readProductOutput(child.stdout, { log, mail });
  return watched(child, options.complain);
}

function valuesIn(config: string): Texts {
  const { vars } = unstable_readConfig({ config });
  return Object.fromEntries(Object.entries(vars).map(([name, value]) => [name, String(value)]));
}

/** The sandbox of the AEAT, a separate server. */
export function serveAuthority({ vars, ...options }: AuthorityOptions): Server {
  const args = ["dev", ...devArgs(options, vars), "--config", AUTHORITY_CONFIG];
  const child = startWrangler(args, environmentFor(options));
  child.stdout?.resume();
  // It breaks connections on purpose, and the runtime complains about each.
  return watched(child, () => undefined);
}

/** The stand-in shops, without a runtime. They end with their input: no kill leaves them on their port. */
export function serveShops({ port, config, journal, complain }: ShopsOptions): Server {
  const env = { SHOPS_PORT: String(port), SHOPS_CONFIG: config, SHOPS_JOURNAL: journal };
  const child = spawn(process.execPath, [SHOPS], {
    cwd: root,
    env: { ...toolEnvironment(process.execPath), ...env },
    stdio: ["pipe", "ignore", "pipe"],
  });
  return watched(endedWithTheRest(child), complain);
}

/** The console's pages and its Function, which finds the owner Worker by the registry of running Workers. */
export function serveConsole({ site, ...options }: ConsoleOptions): Server {
  const args = [...localArgs(options), "--log-level", "warn", "--show-interactive-dev-session=false"];
  // Pages reads its configuration only from its working folder.
  const child = startWrangler(["pages", "dev", site, ...args, "--cwd", CONSOLE], environmentFor(options));
  child.stdout?.resume();
  return watched(child, options.complain);
}

function environmentFor({ registry }: Pick<ServerOptions, "registry">): Texts {
  return { WRANGLER_REGISTRY_PATH: registry };
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

/** With several Workers, wrangler prefixes its log lines with the Worker's name. */
const PRODUCT_LINE = /^(?:\[cuadre-[a-z-]+\] )?(\{.*)$/;

/** The product's own line in wrangler's output: the log is JSON, one object a line. */
export function productLine(printed: string): string | undefined {
  return PRODUCT_LINE.exec(printed)?.[1];
}

function readProductOutput(
  output: NodeJS.ReadableStream,
  { log, mail }: Pick<ProductOptions, "log" | "mail">,
): void {
  createInterface({ input: output }).on("line", (printed) => {
    const line = productLine(printed);
    if (line?.startsWith('{"level":"mail"')) mail(JSON.parse(line));
    else if (line !== undefined) log(line);
  });
}
