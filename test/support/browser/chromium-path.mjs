/** Where the browser of the browser suite is; installs it where that needs no question. Runs on Node 20. */
import { existsSync } from "node:fs";
import { aptInstall } from "../apt.mjs";

/** Debian's Chromium without windows comes first: it draws the same pages with less work of the processor. */
const PLACES = [
  "/usr/bin/chromium-headless-shell",
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
  const found = installed() ?? (installs() ? installed() : undefined);
  return found ? { path: found } : { missing: "no Chromium found; install it or set CHROMIUM_PATH" };
}

function installs() {
  return ["chromium-headless-shell", "chromium"].some((name) => aptInstall(name));
}

function installed() {
  return PLACES.find((place) => existsSync(place));
}
