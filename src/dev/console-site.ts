/** The site that `npm start` serves: built once for each state of what the build reads, and kept. */
import { spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { root, SetupError, toolEnvironment } from "../ops/setup.mjs";
import { endedWithTheRest } from "../ops/wrangler.ts";

const SITES = "node_modules/.cache/console-site";
/** Sites of other states may still be served by another start of this checkout. */
const MOST_SITES = 5;

/** The site imports from other parts, so every source counts; the lock file decides on the packages. */
const FOLDER = "src";
const OUTPUT = "src/web/dist";
const FILES = ["tsconfig.json", "package.json", "package-lock.json", "node_modules/.package-lock.json"];

interface SiteOptions {
  /** The checkout. */
  readonly root: string;
  /** Builds the site into a folder that does not exist yet. */
  readonly build: (folder: string) => Promise<void>;
}

/** The folder of the site, which is built only if nothing has built it from the same sources. */
export async function consoleSite(options: SiteOptions = { root, build: buildConsole }): Promise<string> {
  const sites = join(options.root, SITES);
  mkdirSync(sites, { recursive: true });
  for (;;) {
    const hash = hashOfSources(options.root);
    const site = join(sites, hash);
    if (existsSync(site)) {
      utimesSync(site, new Date(), new Date());
      removeOldest(sites);
      return site;
    }
    const unfinished = `${site}.${randomUUID()}`;
    await options.build(unfinished);
    // A source that changed during the build may be in the site or not, so the site is built again.
    if (hashOfSources(options.root) === hash) keep(unfinished, site);
    else rmSync(unfinished, { recursive: true, force: true });
  }
}

function hashOfSources(checkout: string): string {
  const hash = createHash("sha256");
  const names = readdirSync(join(checkout, FOLDER), { recursive: true, encoding: "utf8" });
  const paths = names.map((name) => join(FOLDER, name)).filter((path) => !path.startsWith(OUTPUT));
  for (const path of [...paths.sort(), ...FILES]) {
    const file = join(checkout, path);
    if (!existsSync(file) || !statSync(file).isFile()) continue;
    const bytes = readFileSync(file);
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("hex").slice(0, 32);
}

/** Two starts may build the same site at once; the first one to end keeps its own. */
function keep(unfinished: string, site: string): void {
  try {
    renameSync(unfinished, site);
  } catch (error) {
    if (!existsSync(site)) throw error;
    rmSync(unfinished, { recursive: true, force: true });
  }
}

function removeOldest(sites: string): void {
  const usedAt = (name: string) => statSync(join(sites, name)).mtimeMs;
  const oldest = readdirSync(sites)
    .map((name) => ({ name, at: usedAt(name) }))
    .sort((one, other) => other.at - one.at)
    .slice(MOST_SITES);
  for (const { name } of oldest) rmSync(join(sites, name), { recursive: true, force: true });
}

async function buildConsole(folder: string): Promise<void> {
  console.log("Building the console ...");
  const vite = join(root, "node_modules/vite/bin/vite.js");
  const args = ["build", join(root, "src/web"), "--outDir", folder, "--logLevel", "warn"];
  const child = spawn(process.execPath, [vite, ...args], {
    cwd: root,
    // With NODE_ENV=test, as a test sets it, Vite would build the development React.
    env: { ...toolEnvironment(process.execPath), NODE_ENV: "production" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = await once(endedWithTheRest(child), "exit");
  if (code !== 0) throw new SetupError("The console could not be built; the messages stand above.");
}
