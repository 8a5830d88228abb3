/** Where the browser of the browser suite is; installs it where that needs no question. Runs on Node 20. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** `{ path }`, or `{ missing }` with the reason. */
export function findChromium() {
  const named = process.env.CHROMIUM_PATH;
  if (named)
    return existsSync(named) ? { path: named } : { missing: `CHROMIUM_PATH=${named} does not exist` };
  const found = installed() ?? installOnDebian();
  return found ? { path: found } : { missing: "no Chromium found; install it or set CHROMIUM_PATH" };
}

function installed() {
  return PLACES.find((place) => existsSync(place));
}

function installOnDebian() {
  if (!existsSync("/etc/debian_version") || process.getuid?.() !== 0) return undefined;
  console.log("Installing Chromium (apt-get) ...");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const args of [["update"], ["install", "-y", "chromium"]]) {
    const run = spawnSync("apt-get", ["-qq", ...args], { env, encoding: "utf8" });
    if (run.status !== 0) {
      console.error(`apt-get ${args.join(" ")} failed: ${run.stderr ?? run.error?.message}`);
      return undefined;
    }
  }
  return installed();
}
