import { type Browser, chromium } from "playwright-core";

const QUIET = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The workers suite uses the same cores, so a page may take long to answer. */
const PATIENCE_MS = 90_000;

/** The browser that `test/run.mjs` found. Close it in `afterAll`. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH;
  if (!executablePath) throw new Error("CHROMIUM_PATH is not set: start the suite with `npm test`");
  return withoutMotion(await chromium.launch({ executablePath, args: QUIET }));
}

/** In every page that is opened: what fades or moves is judged and clicked when it has come to rest. */
function withoutMotion(browser: Browser): Browser {
  const newContext = browser.newContext.bind(browser);
  // `newPage` opens its context by the same method.
  browser.newContext = async (options) => {
    const context = await newContext({ reducedMotion: "reduce", ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  };
  return browser;
}
