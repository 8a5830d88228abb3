/**
 * All pages of `paths.ts` as an owner sees them: light at 1280, dark at 390, a third of them in English. Each
 * is without serious findings of axe, inside landmarks, has its heading, logs no error and fits a phone.
 */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { paths } from "../../src/web/app/paths.ts";
import { launchChromium, seriousFindings } from "../support/browser/chromium.ts";
import { clumsyOn, newVisitor, openConsole, SCREEN } from "../support/browser/console.ts";
import { callDemo } from "../support/browser/local-server.ts";
import { ownProduct } from "../support/browser/product.ts";

const { demo } = ownProduct();
const NARROW = { width: 390, height: 844 } as const;
/** What axe calls moderate and the console has none of. */
const STRUCTURE = ["region", "landmark-one-main", "landmark-unique", "page-has-heading-one", "heading-order"];
/** Pages that are looked at beside each other: most of a visit is waiting. */
const AT_ONCE = 3;

/** What the addresses of the pages are of. */
interface Facts {
  readonly account: string;
  readonly invoice: string;
  readonly draft: string;
}

/** By its name in the palette, among the pages or the acts; or why it is not there. */
type InPalette = { readonly name: string } | { readonly absent: string };

interface Row {
  readonly to: (facts: Facts) => string;
  readonly heading: string | RegExp;
  readonly palette: InPalette;
  readonly inEnglish?: string | RegExp;
}

const named = (name: string): InPalette => ({ name });
const absent = (why: string): InPalette => ({ absent: why });
const SIGNED_OUT = absent("for people without a session");
const OF_ONE = absent("of one thing, which the palette finds or its list leads to");
const STEP = absent("a step, to which the pages before it lead");

const { api, commerce, commerce_new: fresh } = demo.connections;
const HELD = "paginas-en-espera";
const MISSING = absent("a tab of the connection, to which its page leads");

/** A row, or several, for every address of the console. */
const ROWS = {
  home: [{ to: () => paths.home, heading: "Resumen", palette: absent("leads to the overview") }],
  signIn: [{ to: () => paths.signIn, heading: "Entrar", palette: SIGNED_OUT, inEnglish: "Sign in" }],
  signUp: [{ to: () => paths.signUp, heading: "Crea tu cuenta", palette: SIGNED_OUT }],
  forgotten: [{ to: () => paths.forgotten, heading: /contraseña/i, palette: SIGNED_OUT }],
  invitation: [
    {
      to: () => `${paths.invitation}?token=abc`,
      heading: "Te han invitado a una empresa",
      palette: SIGNED_OUT,
    },
  ],
  confirmEmail: [{ to: () => paths.confirmEmail, heading: /correo/i, palette: absent("a link of a mail") }],
  restoreEmail: [
    { to: () => paths.restoreEmail, heading: "No he sido yo", palette: absent("a link of a mail") },
  ],
  newCompany: [
    { to: () => paths.newCompany, heading: "La empresa que factura", palette: named("Añadir otra empresa") },
  ],
  security: [
    { to: () => paths.security, heading: "Seguridad", palette: named("Seguridad"), inEnglish: "Security" },
  ],
  overview: [
    {
      to: (f) => paths.overview(f.account),
      heading: "Resumen",
      palette: named("Resumen"),
      inEnglish: "Overview",
    },
  ],
  review: [
    { to: (f) => paths.review(f.account), heading: "Por revisar", palette: named("Por revisar") },
    { to: (f) => `${paths.review(f.account)}?by=question`, heading: "Por revisar", palette: OF_ONE },
  ],
  reviewOne: [
    { to: (f) => paths.reviewOne(f.account, commerce.id, HELD), heading: `Pedido ${HELD}`, palette: OF_ONE },
  ],
  invoices: [
    {
      to: (f) => paths.invoices(f.account),
      heading: "Facturas",
      palette: named("Facturas"),
      inEnglish: "Invoices",
    },
  ],
  invoice: [{ to: (f) => paths.invoice(f.account, f.invoice), heading: /^\S+-\d{6}$/, palette: OF_ONE }],
  newInvoice: [
    { to: (f) => paths.newInvoice(f.account), heading: "Nueva factura", palette: named("Nueva factura") },
    { to: (f) => paths.newInvoice(f.account, f.draft), heading: "Nueva factura", palette: OF_ONE },
  ],
  drafts: [
    {
      ...{
        to: (f) => paths.drafts(f.account),
        heading: "Borradores",
        palette: named("Facturas: borradores"),
      },
      inEnglish: "Drafts",
    },
  ],
  orders: [
    {
      to: (f) => paths.orders(f.account),
      heading: "Pedidos",
      palette: named("Pedidos"),
      inEnglish: "Orders",
    },
  ],
  order: [
    { to: (f) => paths.order(f.account, commerce.id, HELD), heading: `Pedido ${HELD}`, palette: OF_ONE },
  ],
  rectify: [
    { to: (f) => paths.rectify(f.account, f.invoice), heading: "Devolver o rectificar", palette: OF_ONE },
  ],
  annul: [
    { to: (f) => paths.annul(f.account, f.invoice), heading: "Devolver o rectificar", palette: OF_ONE },
  ],
  submission: [
    {
      to: (f) => paths.submission(f.account),
      heading: "Envíos a la AEAT",
      palette: named("Envíos a la AEAT"),
    },
  ],
  connections: [
    { to: (f) => paths.connections(f.account), heading: "Conexiones", palette: named("Conexiones") },
  ],
  connection: ["estado", "tienda", "tiendas", "facturacion", "claves", "acceso", "avisos", "datos"].map(
    (tab) => ({
      ...{ to: (f) => paths.connection(f.account, connectionOf(tab), tab), heading: /./ },
      palette: tab === "estado" ? OF_ONE : MISSING,
    }),
  ),
  connect: [{ to: (f) => paths.connect(f.account), heading: /./, palette: named("Añadir conexión") }],
  stores: [{ to: (f) => paths.stores(f.account, commerce.id), heading: /./, palette: STEP, inEnglish: /./ }],
  consent: [{ to: (f) => paths.consent(f.account, fresh.id), heading: /./, palette: STEP }],
  progress: [{ to: (f) => paths.progress(f.account, commerce.id), heading: /./, palette: STEP }],
  profiles: [
    {
      ...{ to: (f) => paths.profiles(f.account), heading: "Perfiles y series" },
      ...{ palette: named("Perfiles y series"), inEnglish: "Profiles and series" },
    },
  ],
  profile: [
    { to: (f) => paths.profile(f.account, commerce.id, "nuevo"), heading: /perfil/i, palette: OF_ONE },
  ],
  companyPages: [
    { to: (f) => paths.companyPages(f.account), heading: "Empresa", palette: absent("its first tab") },
  ],
  company: [
    ...[
      ["datos", "Empresa"],
      ["cobro", "Empresa: cobro y contacto"],
      ["aspecto", "Empresa: aspecto de las facturas"],
      ["verificacion", "Empresa: verificación"],
      ["representacion", "Empresa: representación"],
      ["autorizaciones", "Empresa: autorizaciones"],
      ["personas", "Empresa: personas"],
    ].map(([tab = "", name = ""]) => ({
      ...{ to: (f: Facts) => paths.company(f.account, tab), heading: "Empresa", palette: named(name) },
      ...(tab === "aspecto" ? { inEnglish: "Company" } : {}),
    })),
    {
      ...{ to: (f) => paths.company(f.account, "declaracion"), heading: "Empresa" },
      palette: absent("the declaration has a page of its own, which is there"),
    },
  ],
  activity: [{ to: (f) => paths.activity(f.account), heading: "Actividad", palette: named("Actividad") }],
  declaration: [
    {
      to: () => paths.declaration,
      heading: /Declaración responsable/,
      palette: named("Declaración responsable"),
    },
  ],
} satisfies Record<keyof typeof paths, readonly Row[]>;

/** A shop that sends its own orders has a tab of it. */
function connectionOf(tab: string): string {
  return tab === "tienda" ? demo.shops.woocommerce.connection.id : commerce.id;
}

let browser: Browser;
let owner: BrowserContext;
let english: BrowserContext;
let visitor: BrowserContext;
let facts: Facts;

beforeAll(async () => {
  browser = await launchChromium();
  const line = { description: "Vajilla de gres", quantity: 2, price_unit: 100, tax_rate: 21 };
  const address = { country: "ES", address1: "Calle Nueva 3", postcode: "46001", city: "Valencia" };
  const issued = await callDemo(demo, api.key, "/api/v1/invoice", {
    ...{ external_id: "paginas-1", invoice_type: "F1", description: "Venta", currency: "EUR", lines: [line] },
    recipient: {
      company: "Comercial Hermanos Etxeberria y Compañía SL",
      vat_number: "B12345674",
      ...address,
    },
  });
  expect(issued.status).toBe(201);
  const held = await callDemo(demo, commerce.key, "/api/v1/order", {
    ...{ id_external: HELD, order_date: "2026-11-25T18:04:00+01:00", currency: "EUR", total: 124.63 },
    ...{ fiscal_event: "invoice_candidate", contract_version: "1.8", shop: { id: "1" } },
    client: { first_name: "Rocío", last_name: "Santamaría Vidal", country: "ES" },
    breakdown: [{ name: "Fuente", quantity: 1, base_amount: 100, tax_rate: 21, tax_amount: 21 }],
    unmapped_totals: [{ code: "paginas_fee", title: "Recargo contra reembolso", value: 3.63 }],
  });
  expect(held.data.state).toBe("held");
  const first = await openConsole(browser, demo);
  owner = first.context;
  const storageState = await owner.storageState();
  english = (await newVisitor(browser, demo, SCREEN, { storageState })).context;
  await english.addInitScript("localStorage.setItem('cuadre.language', 'en')");
  visitor = (await newVisitor(browser, demo)).context;
  facts = {
    account: first.account,
    invoice: String(issued.data.invoice_id),
    draft: await newDraft(first.account),
  };
});

afterAll(() => browser?.close());

async function newDraft(account: string): Promise<string> {
  const headers = { Origin: demo.console_url };
  const base = `/api/accounts/${account}/drafts`;
  const post = async (path: string, data: object) =>
    (await (await owner.request.post(`${demo.console_url}${base}${path}`, { headers, data })).json()).data;
  await post("/connection", {});
  const form = await (await owner.request.get(`${demo.console_url}${base}/form`)).json();
  const { id } = await post("", { idempotency_key: crypto.randomUUID(), content: form.data.blank });
  return id;
}

const ALL: readonly (readonly [name: string, row: Row])[] = Object.entries(ROWS).flatMap(([name, rows]) =>
  rows.map((row) => [name, row] as const),
);

/** Whether there is a session, or a document of a shop: the answer no is a status, which the browser logs. */
const QUESTIONS = [/\/api\/me .*401/, /\/shop\/orders\/[^/]+\/document .*404/];

/** Looks at pages beside each other, and names what is wrong with each. */
async function lookAt(
  rows: readonly (readonly [name: string, row: Row])[],
  context: BrowserContext,
  look: (page: Page, row: Row) => Promise<readonly string[]>,
): Promise<string[]> {
  const left = rows.values();
  const found: string[] = [];
  const one = async () => {
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("console", (line) => {
      const isAsked = QUESTIONS.some((one) => one.test(`${line.location().url} ${line.text()}`));
      if (line.type() === "error" && !isAsked) errors.push(`logs ${line.text()} ${line.location().url}`);
    });
    page.on("pageerror", ({ message }) => errors.push(`throws ${message}`));
    for (const [name, row] of left) {
      const to = row.to(facts);
      await page.goto(to);
      const wrong = [...(await look(page, row)), ...errors.splice(0)];
      found.push(...wrong.map((what) => `${name} ${to}: ${what}`));
    }
    await page.close();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return found;
}

/** The heading is there, and no other of its level. */
async function headed(page: Page, heading: string | RegExp): Promise<string[]> {
  const first = page.locator("h1");
  await first.first().waitFor();
  const texts = await first.allTextContents();
  const isIt =
    texts.length === 1 && (typeof heading === "string" ? texts[0] === heading : heading.test(texts[0] ?? ""));
  return isIt ? [] : [`the headings are ${JSON.stringify(texts)}`];
}

/** Light on a screen, then dark on a phone. */
async function inBothSizes(page: Page, heading: string | RegExp): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(SCREEN);
  const wide = [...(await clumsyOn(page, STRUCTURE)), ...(await headed(page, heading))];
  await page.setViewportSize(NARROW);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.locator("html[data-mantine-color-scheme=dark]").waitFor();
  const narrow = await clumsyOn(page, STRUCTURE);
  return [...wide.map((what) => `${what}, at 1280`), ...narrow.map((what) => `${what}, dark at 390`)];
}

test("every address of paths.ts has a row", () => {
  // The compiler demands the same of whoever types it.
  expect(Object.keys(ROWS).toSorted()).toEqual(Object.keys(paths).toSorted());
  expect(Object.values(ROWS).every((rows) => rows.length > 0)).toBe(true);
});

const isSignedOut = ([, { palette }]: (typeof ALL)[number]) => palette === SIGNED_OUT;

test("the pages before signing in", async () => {
  const rows = ALL.filter(isSignedOut);
  expect(rows.length).toBeGreaterThan(3);
  expect(await lookAt(rows, visitor, (page, { heading }) => inBothSizes(page, heading))).toEqual([]);
});

/** Pages of tabs and of steps are looked at by themselves: a test has its time. */
const TABBED = ["companyPages", "company", "profile", "activity"];
const CONNECTING = ["connection", "connections", "connect", "stores", "consent", "progress"];

test.each<[string, (name: string) => boolean]>([
  ["every page of an owner's company", (name) => TABBED.includes(name)],
  ["every page of an owner's connections", (name) => CONNECTING.includes(name)],
  ["every other page of an owner", (name) => ![...TABBED, ...CONNECTING].includes(name)],
])("%s", async (_, isOf) => {
  const rows = ALL.filter((row) => !isSignedOut(row) && isOf(row[0]));
  expect(rows.length).toBeGreaterThan(10);
  expect(await lookAt(rows, owner, (page, { heading }) => inBothSizes(page, heading))).toEqual([]);
});

test("pages in English", async () => {
  const rows = ALL.filter((row) => row[1].inEnglish !== undefined && !isSignedOut(row));
  const look = async (page: Page, { inEnglish = /./ }: Row) => {
    await page.setViewportSize(SCREEN);
    const found = [...(await clumsyOn(page, STRUCTURE)), ...(await headed(page, inEnglish))];
    const language = await page.locator("html").getAttribute("lang");
    return language === "en" ? found : [...found, `the language is ${language}`];
  };
  expect(rows.length).toBeGreaterThan(6);
  expect(await lookAt(rows, english, look)).toEqual([]);
});

/** Something is opened on a page, or refused by it. */
const OPENED: readonly (readonly [
  name: string,
  to: (facts: Facts) => string,
  open: (page: Page) => Promise<void>,
])[] = [
  ["the menu of the company", (f) => paths.overview(f.account), (page) => openMenu(page, 0)],
  ["the menu of an invoice", (f) => paths.invoice(f.account, f.invoice), (page) => openMenu(page, -1)],
  ["the export", (f) => paths.invoices(f.account), (page) => openDialog(page, "Exportar")],
  [
    "the mail of an invoice",
    (f) => paths.invoice(f.account, f.invoice),
    (page) => openDialog(page, /Enviar por correo/),
  ],
  ["a company with errors", () => paths.newCompany, (page) => refusedAt(page, "Crear la empresa")],
  [
    "a profile with errors",
    (f) => paths.profile(f.account, commerce.id, "nuevo"),
    (page) => refusedAt(page, "Crear perfil"),
  ],
  ["a draft with errors", (f) => paths.newInvoice(f.account), (page) => refusedAt(page, "Emitir factura")],
];

async function openMenu(page: Page, which: 0 | -1): Promise<void> {
  const buttons = page.locator("[aria-haspopup=menu]:visible");
  await (which === 0 ? buttons.first() : page.locator("main [aria-haspopup=menu]:visible").last()).click();
  await page.getByRole("menu").waitFor();
}

async function openDialog(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole("button", { name }).first().click();
  await page.getByRole("dialog").waitFor();
}

async function refusedAt(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name }).last().click();
  await page.locator("[aria-invalid=true]").first().waitFor();
}

test.each(OPENED)("axe finds nothing serious with %s open", async (_, to, open) => {
  const page = await owner.newPage();
  await page.setViewportSize(SCREEN);
  await page.goto(to(facts));
  await page.locator("h1").first().waitFor();
  await open(page);
  await expect.poll(() => seriousFindings(page), { timeout: 20_000 }).toEqual([]);
  await page.close();
});

test("every page that an owner may visit is in the palette, or its row says why not", async () => {
  const page = await owner.newPage();
  await page.goto(paths.overview(facts.account));
  await page.locator("h1").first().waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("group", { name: "Páginas" }).waitFor();
  const pages = await page.getByRole("group", { name: "Páginas" }).getByRole("option").allTextContents();
  const acts = await page.getByRole("group", { name: "Acciones" }).getByRole("option").allTextContents();
  const wanted = ALL.flatMap(([, { palette }]) => ("name" in palette ? [palette.name] : []));
  expect(wanted.filter((name) => ![...pages, ...acts].includes(name))).toEqual([]);
  expect(pages.filter((name) => !wanted.includes(name))).toEqual([]);
  await page.close();
});
