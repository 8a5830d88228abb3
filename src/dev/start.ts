import { createServer } from "node:net";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { knownMigrations, migrateLocalDatabases, withLocalDatabases } from "../ops/local-databases.ts";
import { SetupError, whenParentIsGone } from "../ops/setup.mjs";
import { stopWrangler } from "../ops/wrangler.ts";
import { consoleSite } from "./console-site.ts";
import {
  commerceOrders,
  commerceUpdates,
  DEMO_ORDER_ID,
  profiledOrders,
  sendOrders,
  waitingOrders,
} from "./demo-orders.ts";
import { needsShops, seedShops, shopsOfDemo, standInConfig } from "./demo-shops.ts";
import { type SeedEnv, type SeededDemo, seedDemo } from "./seed.ts";
import { type Server, serve, serveAuthority, serveConsole, serveShops } from "./servers.ts";
import * as states from "./state.ts";

interface StartSettings {
  readonly port: number;
  readonly consolePort: number;
  readonly authorityPort: number;
  readonly shopsPort: number;
  /** Absolute; it contains everything that `npm start` writes. */
  readonly stateDir: string;
}

function readSettings(environment: NodeJS.ProcessEnv): StartSettings {
  return {
    port: readPort(environment, "PORT", 8787),
    consolePort: readPort(environment, "CONSOLE_PORT", 8788),
    authorityPort: readPort(environment, "AUTHORITY_PORT", 8789),
    shopsPort: readPort(environment, "SHOPS_PORT", 8790),
    stateDir: resolve(environment.STATE_DIR || ".local"),
  };
}

function readPort(environment: NodeJS.ProcessEnv, name: string, byDefault: number): number {
  const text = environment[name] || String(byDefault);
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new SetupError(`${name}=${text} is not a port number.`);
  }
  return port;
}

/** Reports a busy port before any other step. */
async function demandFreePort(name: string, port: number): Promise<void> {
  const probe = createServer();
  const problem = await new Promise<NodeJS.ErrnoException | undefined>((answer) => {
    probe.once("error", answer);
    probe.listen(port, "127.0.0.1", () => answer(undefined));
  });
  await new Promise<void>((closed) => (problem ? closed() : probe.close(() => closed())));
  if (problem === undefined) return;
  const reason = problem.code === "EADDRINUSE" ? "is in use" : `cannot be used (${problem.message})`;
  throw new SetupError(`Port ${port} ${reason}. Choose another: ${name}=${port + 100} npm start`);
}

/** Runs the product on this machine: migrates, seeds once, serves, issues one demo invoice, says how. */

const KEY_LABELS = {
  api: "API key, consent given",
  api_unconsented: "API key, no consent yet",
  commerce: "shop key, set up",
  commerce_new: "shop key, no setup yet",
  accounting: "key of another kind",
  profiled: "shop key, two profiles",
} as const satisfies Record<keyof SeededDemo["connections"], string>;

/** A developer can watch a record until its end: waits of minutes, fixed by law, take seconds here. */
const QUICK = { initialWaitSeconds: 2, backOffMs: [1_000, 2_000, 4_000], stoppedRetryMs: 60_000 };

const MOST_RESTARTS = 20;

let stopping = false;
let isReady = false;
let restarts = 0;
const EVERY_MINUTE = "* * * * *";
/** The first invoice goes through the real API, like every other. */

const DEMO_EXTERNAL_ID = "demo-1";
const READY_WITHIN_MS = 90_000;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stop(0));
whenParentIsGone(() => void stop(0));

try {
  await start(readSettings(process.env));
} catch (error) {
  if (!stopping) {
    console.error(error instanceof SetupError ? error.message : error);
    await stop(1);
  }
}

async function start(settings: StartSettings): Promise<void> {
  await demandFreePort("PORT", settings.port);
  await demandFreePort("CONSOLE_PORT", settings.consolePort);
  await demandFreePort("AUTHORITY_PORT", settings.authorityPort);
  await demandFreePort("SHOPS_PORT", settings.shopsPort);
  const state = states.openState(settings.stateDir);
  const note = await prepareDatabases(settings, state);
  const site = await consoleSite();
  console.log("Starting the Workers ...");
  states.emptyRegistry(state);
  const apiUrl = `http://127.0.0.1:${settings.port}`;
  const authorityUrl = authorityUrlOf(settings);
  const consoleUrl = consoleUrlOf(settings);
  const shopsUrl = shopsUrlOf(settings);
  const addressed = { apiUrl, shops: note.shops, serverSecret: signerOf(state) };
  states.writeShopsConfig(state, standInConfig(addressed));
  const place = {
    registry: state.registry,
    complain: (text: string) => states.keepComplaint(state, text),
  };
  const authority = keepRunning("sandbox authority", () =>
    serveAuthority({
      ...place,
      port: settings.authorityPort,
      databases: state.authority,
      vars: { INITIAL_CONTROL: JSON.stringify({ wait_seconds: QUICK.initialWaitSeconds }) },
    }),
  );
  const server = keepRunning("server", () => serveProduct(settings, state));
  const shops = keepRunning("stand-in shops", () =>
    serveShops({
      ...{ port: settings.shopsPort, config: state.shopsConfig, journal: state.shopsJournal },
      complain: place.complain,
    }),
  );
  const pages = keepRunning("console", () =>
    serveConsole({ ...place, site, port: settings.consolePort, databases: state.console }),
  );
  await waitUntilHealthy(apiUrl);
  server.started();
  await waitUntilAnswering(authorityUrl);
  authority.started();
  await waitUntilOk(`${shopsUrl}/requests`, "The stand-in shops do not answer");
  shops.started();
  await waitUntilOwnersAnswered(consoleUrl);
  pages.started();
  if (!note.issued) {
    console.log("Issuing the demo invoice, sending the demo orders ...");
    await issueDemoInvoice(apiUrl, note.connections.api.key);
    await sendDemoOrders(apiUrl, note.connections);
    states.writeSeedNote(state, { ...note, issued: true });
  }
  states.writeDemoFile(state, {
    ...{ api_url: apiUrl, console_url: consoleUrl, authority_url: authorityUrl },
    ...{ owner: note.owner, connections: note.connections, shops: shopsOfDemo(addressed) },
  });
  printWelcome({ apiUrl, authorityUrl, consoleUrl, shopsUrl }, state, note);
  isReady = true;
  sweepEveryMinute(apiUrl);
}

function serveProduct(settings: StartSettings, state: states.LocalState): Server {
  return serve({
    ...{ ...state, port: settings.port, vars: localVars(settings) },
    complain: (text) => states.keepComplaint(state, text),
    log: (line) => states.keepLog(state, line),
    mail: (mail) => {
      console.log(`\nMail to ${mail.to}: ${mail.subject}\n${mail.text}`);
      states.keepMail(state, states.mailText(mail));
    },
  });
}

/** Wrangler's proxy sometimes ends when a browser leaves during a request: it is started again. */
function keepRunning(name: string, begin: () => Server): Server {
  const server = begin();
  void server.ended.then((code) => {
    if (stopping) return undefined;
    console.error(`The local ${name} ended (code ${code}).`);
    restarts += 1;
    // A server that ends before all are ready would end again.
    if (!isReady || restarts > MOST_RESTARTS) return stop(1);
    return keepRunning(name, begin).started();
  });
  return server;
}

function consoleUrlOf({ consolePort }: StartSettings): string {
  return `http://127.0.0.1:${consolePort}`;
}

function authorityUrlOf({ authorityPort }: StartSettings): string {
  return `http://127.0.0.1:${authorityPort}`;
}

function shopsUrlOf({ shopsPort }: StartSettings): string {
  return `http://127.0.0.1:${shopsPort}`;
}

/** The first of the secrets signs keys and addresses. */
function signerOf({ apiKeySecrets }: states.LocalState): string {
  return apiKeySecrets.split(",")[0] ?? "";
}

async function sendDemoOrders(apiUrl: string, connections: SeededDemo["connections"]): Promise<void> {
  const now = Date.now();
  await sendOrders(apiUrl, connections.commerce.key, commerceOrders(now));
  await sendOrders(apiUrl, connections.commerce.key, commerceUpdates(now));
  await sendOrders(apiUrl, connections.profiled.key, profiledOrders(now));
  await sendOrders(apiUrl, connections.api_unconsented.key, waitingOrders(now));
}

type NoteWithShops = states.SeedNote & Required<Pick<states.SeedNote, "shops">>;

async function prepareDatabases(settings: StartSettings, state: states.LocalState): Promise<NoteWithShops> {
  const known = states.readSeedNote(state);
  if (known === undefined) states.beginFirstStart(state);
  await migrate(state);
  if (known !== undefined) return withShops(known, settings, state);
  console.log("Writing demo data ...");
  const note = { ...(await seed(state)), issued: false };
  states.writeSeedNote(state, note);
  return withShops(note, settings, state);
}

/** Data of an older version gets its shops, and those of other ports the present ones. */
async function withShops(
  note: states.SeedNote,
  settings: StartSettings,
  state: states.LocalState,
): Promise<NoteWithShops> {
  const url = shopsUrlOf(settings);
  const { shops: known } = note;
  if (known && !needsShops(known, url)) return { ...note, shops: known };
  console.log("Connecting the demo shops ...");
  const { apiKeySecrets, shopSecrets } = state;
  const keep = (shops: NoteWithShops["shops"]) => states.writeSeedNote(state, { ...note, shops });
  const options = { apiKeySecrets, shopSecrets, url, keep, now: Date.now() };
  const shops = await withLocalDatabases<SeedEnv, NoteWithShops["shops"]>(state, (env) =>
    seedShops(note, known, env, options),
  );
  return { ...note, shops };
}

async function migrate(state: states.LocalState): Promise<void> {
  const migrations = knownMigrations().map(({ binding, files }) => `${binding}: ${files.join(" ")}`);
  if (states.isMigratedTo(state, migrations.join("\n"))) return;
  console.log("Migrating the databases ...");
  await migrateLocalDatabases(state);
  states.writeMigratedTo(state, migrations.join("\n"));
}

/** The local runtime has no cron, so this calls the sweep every minute. */
function sweepEveryMinute(apiUrl: string): void {
  const timer = setInterval(() => {
    fetch(`${apiUrl}/cdn-cgi/handler/scheduled?cron=${encodeURIComponent(EVERY_MINUTE)}`).catch(() => {
      // The server is stopping; otherwise the next minute tries again.
    });
  }, 60_000);
  timer.unref();
}

function seed(state: states.LocalState): Promise<SeededDemo> {
  const options = { apiKeySecrets: state.apiKeySecrets, now: Date.now() };
  return withLocalDatabases<SeedEnv, SeededDemo>(state, (env) => seedDemo(env, options));
}

/** Removes the limits that would slow down a developer. */
function localVars(settings: StartSettings): Record<string, string> {
  return {
    DEFAULT_RATE_LIMIT: "0",
    CALLBACKS_TO_LOOPBACK: "1",
    CONSOLE_URL: consoleUrlOf(settings),
    API_URL: `http://127.0.0.1:${settings.port}`,
    AEAT_TRANSPORT: "sandbox",
    AEAT_BASE_URL: authorityUrlOf(settings),
    SANDBOX_SHOPS_URL: shopsUrlOf(settings),
    SUBMISSION_PACE: process.env.SUBMISSION_PACE || JSON.stringify(QUICK),
  };
}

function printWelcome(
  urls: Readonly<Record<"apiUrl" | "authorityUrl" | "consoleUrl" | "shopsUrl", string>>,
  state: states.LocalState,
  { connections, owner }: SeededDemo,
): void {
  const { apiUrl, authorityUrl, consoleUrl, shopsUrl } = urls;
  const fresh = JSON.stringify(demoInvoice(DEMO_EXTERNAL_ID)).replace(DEMO_EXTERNAL_ID, "try-'$(date +%s)'");
  console.log(`
Cuadre is running. Ctrl-C stops it; the next start finds the data in ${state.dir}

  API                       ${apiUrl}
  API documentation         ${apiUrl}/docs
  owner's console           ${consoleUrl}  (${owner.email}, ${owner.password})
  sandbox tax authority     ${authorityUrl}
  stand-in shops            ${shopsUrl}/woocommerce, /shopify, /prestashop, /magento
${keyLines(connections)}
  all of this as JSON       ${state.demoFile}
  mails that would be sent  ${state.mailFile}
  log of both Workers       ${state.logFile}

The demo invoice is ${apiUrl}/api/v1/invoice/${DEMO_EXTERNAL_ID}, the demo order (with the shop key)
${apiUrl}/api/v1/order/${DEMO_ORDER_ID}; this issues another invoice:

  curl -sS ${apiUrl}/api/v1/invoice -H 'Content-Type: application/json' \\
    -H 'X-API-KEY: ${connections.api.key}' \\
    -d '${fresh}'
`);
}

/** Data of an older start may lack some connections. */
function keyLines(connections: Readonly<Record<string, { readonly key: string }>>): string {
  const known = Object.entries(KEY_LABELS).flatMap(([name, label]) => {
    const key = connections[name]?.key;
    return key === undefined ? [] : [`  ${label.padEnd(24)}  ${key}`];
  });
  return known.join("\n");
}

async function stop(code: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  await stopWrangler();
  process.exit(code);
}

export function demoInvoice(externalId: string): object {
  return {
    external_id: externalId,
    invoice_type: "F2",
    description: "Café para la oficina",
    currency: "EUR",
    lines: [
      { line_id: "1", description: "Café en grano, 1 kg", quantity: 2, price_unit: 18.5, tax_rate: 10 },
    ],
  };
}

/** Repeating it is a replay, so an interrupted start can continue. */
async function issueDemoInvoice(apiUrl: string, key: string): Promise<void> {
  const response = await fetch(`${apiUrl}/api/v1/invoice`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-API-KEY": key },
    body: JSON.stringify(demoInvoice(DEMO_EXTERNAL_ID)),
  });
  if (response.ok) return;
  throw new SetupError(`The demo invoice was not issued: ${response.status} ${await response.text()}`);
}

function waitUntilHealthy(apiUrl: string): Promise<void> {
  return waitUntilOk(`${apiUrl}/health`, "The API did not become healthy");
}

function waitUntilAnswering(authorityUrl: string): Promise<void> {
  return waitUntilOk(`${authorityUrl}/control`, "The sandbox authority does not answer");
}

/** The owner Worker answers through the console's Function: with 401, because no user is signed in. */
function waitUntilOwnersAnswered(consoleUrl: string): Promise<void> {
  return waitUntilStatus(401, `${consoleUrl}/api/me`, "The console does not answer");
}

function waitUntilOk(url: string, problem: string): Promise<void> {
  return waitUntilStatus(200, url, problem);
}

async function waitUntilStatus(status: number, url: string, problem: string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  let last = "no answer";
  while (Date.now() < deadline) {
    try {
      const response = await fetch(url);
      if (response.status === status) return;
      last = `${response.status} ${await response.text()}`;
    } catch {
      // The server does not listen yet.
    }
    await delay(100);
  }
  throw new SetupError(`${problem}: ${last}`);
}
