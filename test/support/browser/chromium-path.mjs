/** Where the browser of the browser suite is; installs it where that needs no question. Runs on Node 20. */
import { existsSync } from "node:fs";
import { aptInstall } from "../apt.mjs";

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
  const found = installed() ?? (aptInstall("chromium") ? installed() : undefined);
  return found ? { path: found } : { missing: "no Chromium found; install it or set CHROMIUM_PATH" };
}

function installed() {
  return PLACES.find((place) => existsSync(place));
}
