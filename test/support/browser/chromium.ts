import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, chromium, type Page } from "playwright-core";
import { startPatientProxy } from "./patience.ts";

/**
 * The suggestions below the address bar are two pages that Chromium loads anew with each window, a tenth of the
 * suite's processor time. A second `--disable-features` replaces Playwright's own, whose list is therefore here.
 */
export const UNUSED_FEATURES = [
  ...["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"],
  ...["AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades"],
  ...["HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding"],
  ...["ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect", "TcpPortRandomizationWin"],
  ...["OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch"],
  ...["msForceBrowserSignIn", "msEdgeUpdateLaunchServicesPreferredVersion"],
];

const QUIET = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  `--disable-features=${UNUSED_FEATURES.join(",")}`,
];

/** The workers suite uses the same cores, so a page may take long to answer. */
const PATIENCE_MS = 90_000;

let running: Browser | undefined;

/**
 * The browser that `test/run.mjs` found, one for all files of a process: to start it takes as long as a short file.
 * To close it, in `afterAll`, is to close what the file has opened; the browser ends with the process.
 */
export async function launchChromium(): Promise<Browser> {
  if (!running?.isConnected()) running = await launched();
  const browser = running;
  const close = async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
  };
  return Object.assign(Object.create(browser), { close });
}

async function launched(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH;
  if (!executablePath) throw new Error("CHROMIUM_PATH is not set: start the suite with `npm test`");
  const proxy = await startPatientProxy();
  const browser = await chromium.launch({ executablePath, args: QUIET, proxy: { server: proxy.address } });
  browser.once("disconnected", () => proxy.close());
  return withoutMotion(browser);
}

/** In every opened page fading and moving ends at once, so that tests need not wait for it. */
function withoutMotion(browser: Browser): Browser {
  const newContext = browser.newContext.bind(browser);
  // `newPage` opens its context by the same method.
  browser.newContext = async (options) => {
    const context = await newContext({ reducedMotion: "reduce", ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    // The server may close a kept connection while a read is on its way.
    const get = context.request.get.bind(context.request);
    context.request.get = (url, more) => get(url, { maxRetries: 2, ...more });
    return context;
  };
  return browser;
}

const require = createRequire(import.meta.url);
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const jsQR = readFileSync(require.resolve("jsqr/dist/jsQR.js"), "utf8");

/**
 * The rules that axe finds broken in a serious or critical way, and those named, whatever it thinks of them; a
 * page that moves is no page to judge.
 */
export async function seriousFindings(page: Page, also: readonly string[] = []): Promise<string[]> {
  await page.evaluate("document.fonts.ready");
  const isMoving: boolean = await page.evaluate("document.getAnimations().length > 0");
  if (isMoving) return ["something moves"];
  await page.evaluate(axe);
  const found: { id: string; impact: string }[] = await page.evaluate(
    `axe.run({ resultTypes: ["violations"] })
      .then(({ violations }) => violations.map(({ id, impact }) => ({ id, impact })))`,
  );
  return found
    .filter(({ id, impact }) => impact === "serious" || impact === "critical" || also.includes(id))
    .map(({ id }) => id);
}

/** A picture read by a decoder, in a page of its own without a policy. */
export async function qrInPicture(browser: Browser, picture: Buffer): Promise<string> {
  const page = await browser.newPage();
  await page.evaluate(jsQR);
  const text: string = await page.evaluate(`(async () => {
    const image = new Image();
    image.src = "data:image/png;base64,${picture.toString("base64")}";
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const { data, width, height } = context.getImageData(0, 0, image.width, image.height);
    return jsQR(data, width, height)?.data ?? "no code";
  })()`);
  await page.close();
  return text;
}
