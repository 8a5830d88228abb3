/** The owner's console in Chromium. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { getCurrentTest } from "vitest/suite";
import { seriousFindings } from "./chromium.ts";
import type { Demo } from "./local-server.ts";

export const SCREEN = { width: 1280, height: 900 } as const;
export const PHONE = { width: 360, height: 740 } as const;

/** A Spanish browser of its own, without a signed-in person. */
export async function newVisitor(
  browser: Browser,
  { console_url: baseURL }: Demo,
  viewport: { width: number; height: number } = SCREEN,
  session: { readonly storageState?: StorageState } = {},
): Promise<{ readonly page: Page; readonly context: BrowserContext }> {
  const context = await browser.newContext({ baseURL, viewport, locale: "es-ES", ...session });
  await context.addInitScript(NOTE_EVENTS);
  const page = await context.newPage();
  if (getCurrentTest()) {
    onTestFinished(async ({ task }) => {
      if (task.result?.state === "fail") await keepPages(context, task.name);
      // Open pages keep asking the console, and the next tests wait.
      await context.close();
    });
  }
  return { page, context };
}

/** The last clicks and moves of the focus of a page, for a test that fails only now and then. */
const NOTE_EVENTS = `window.lastEvents = [];
  for (const type of ["mousedown", "mouseup", "click", "focusin", "focusout"])
    document.addEventListener(type, ({ target, clientX, clientY }) => {
      const { tagName, className, value, textContent } = target;
      const what = String(value || textContent || "").slice(0, 30);
      window.lastEvents.push([Math.round(performance.now()), type, tagName, String(className).slice(0, 60), what, clientX, clientY]);
      window.lastEvents.splice(0, window.lastEvents.length - 60);
    }, true);`;

const FAILED = "node_modules/.cache/failed-pages";

/** Writes a picture of each page that a failed test had open, and the page's document with its last events. */
async function keepPages(context: BrowserContext, name: string): Promise<void> {
  mkdirSync(FAILED, { recursive: true });
  for (const [index, page] of context.pages().entries()) {
    const file = `${FAILED}/${name.replaceAll(/\W+/g, "-").slice(0, 80)}-${index}`;
    const events = await page.evaluate("JSON.stringify(window.lastEvents)").catch(String);
    const document = await page.content().catch(String);
    writeFileSync(`${file}.html`, `<!-- ${page.url()} ${events} -->\n${document}`);
    await page.screenshot({ path: `${file}.png`, timeout: 20_000 }).catch(() => {});
    console.log(`kept: ${file}.png`);
  }
}

export interface SignedIn {
  readonly page: Page;
  readonly context: BrowserContext;
  /** The company that the demo's connections are of, but for `profiled`. */
  readonly account: string;
}

type StorageState = Awaited<ReturnType<BrowserContext["storageState"]>>;

/**
 * The sessions of the demo's owner in each file's browser, by the address of the console, whose cookies no
 * other address gets: the owner signs in once, as hashing a password takes long.
 */
const sessions = new WeakMap<Browser, Map<string, StorageState>>();

/** The demo's owner, at the overview of the first company, in a browser of their own. */
export async function openConsole(
  browser: Browser,
  demo: Demo,
  viewport: { width: number; height: number } = SCREEN,
): Promise<SignedIn> {
  const known = sessions.get(browser) ?? new Map<string, StorageState>();
  sessions.set(browser, known);
  const session = known.get(demo.console_url);
  const { page, context } = await newVisitor(browser, demo, viewport, session && { storageState: session });
  await page.goto(session ? "/" : "/entrar");
  if (!session) await signIn(page, demo.owner);
  await page.waitForURL(/\/e\/[^/]+$/);
  if (!session) known.set(demo.console_url, await context.storageState());
  return { page, context, account: accountIn(page) };
}

export async function signIn(
  page: Page,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<void> {
  await page.getByLabel("Correo electrónico").fill(email);
  await page.getByLabel("Contraseña", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Entrar", exact: true }).click();
}

/** The account in the address of the page. */
export function accountIn(page: Page): string {
  return /\/e\/([^/?]+)/.exec(page.url())?.[1] ?? "";
}

/** The faults of a page: serious findings of axe, and of the rules named, and overflow at the side. */
export async function clumsyOn(page: Page, also: readonly string[] = []): Promise<string[]> {
  await untilThere(page);
  const findings = await seriousFindings(page, also);
  const tooWide: boolean = await page.evaluate("document.documentElement.scrollWidth > window.innerWidth");
  return tooWide ? [...findings, "wider than the window"] : findings;
}

/** The script has drawn the page, its data has arrived, and no loading mark is left. */
async function untilThere(page: Page): Promise<void> {
  await page.getByRole("heading").first().waitFor();
  await page.waitForLoadState("networkidle");
  // A predicate would be polled by an eval, which the page's own policy refuses.
  const loading = page.locator("[role=status][aria-label^=Cargando], [aria-busy=true]");
  await loading.first().waitFor({ state: "detached" });
}

/** The nth such link in the mails to an address; mails are sent after the answer. */
export async function linkInMail(
  mailFile: string,
  to: string,
  { like = "token=", nth = 1 }: { readonly like?: string; readonly nth?: number } = {},
): Promise<string> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const mails = existsSync(mailFile) ? readFileSync(mailFile, "utf8").split(/^To: /m) : [];
    const links = mails
      .filter((mail) => mail.startsWith(`${to}\n`))
      .flatMap((mail) => /https?:\S+/.exec(mail)?.[0] ?? [])
      .filter((link) => link.includes(like));
    const found = links[nth - 1];
    if (found) return found;
    await new Promise((resume) => setTimeout(resume, BETWEEN_TRIES_MS));
  }
  throw new Error("the mail did not come");
}

const MOST_TRIES = 400;
const BETWEEN_TRIES_MS = 50;

export interface NewVisitor {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

/** From the form by the link of the mail to the page that opens a company. */
export async function signUp(page: Page, mailFile: string, visitor: NewVisitor): Promise<void> {
  await page.goto("/crear-cuenta");
  await page.getByLabel("Nombre y apellidos").fill(visitor.name);
  await page.getByLabel("Correo electrónico").fill(visitor.email);
  await page.getByRole("button", { name: "Crear cuenta" }).click();
  await page.getByRole("heading", { name: "Confirma tu correo" }).waitFor();
  await page.goto(await linkInMail(mailFile, visitor.email));
  await page.getByLabel("Contraseña nueva").fill(visitor.password);
  await page.getByRole("button", { name: "Guardar la contraseña" }).click();
  await page.waitForURL("**/empresa-nueva");
}
