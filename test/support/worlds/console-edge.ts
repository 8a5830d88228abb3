/** The console's edge in plain Node, over a directory in memory: as far as a stranger comes. */
import { readdirSync, readFileSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { createConsoleApp } from "../../../src/console/app.ts";
import type { ConsoleDeps, ConsoleLogLine } from "../../../src/console/deps.ts";
import type { LoginDeps } from "../../../src/console/sign-in/deps.ts";
import { identityOn } from "../../../src/console/sign-in/identity.ts";
import { passwords } from "../../../src/console/sign-in/passwords.ts";
import { keyedHash } from "../../../src/console/sign-in/tokens.ts";
import { countedBinding } from "../../../src/db/database.ts";
import { eventStore, loginStore, passkeyStore } from "../../../src/db/login/logins.ts";
import { emailStore, linkStore } from "../../../src/db/login/mailed-links.ts";
import { secondFactorStore } from "../../../src/db/login/second-factor.ts";
import { tryStore } from "../../../src/db/login/tries.ts";
import { memberStore } from "../../../src/db/people/member-store.ts";
import { factorSealOf } from "../../../src/platform/factor-seal.ts";
import type { Mail } from "../../../src/platform/mailer.ts";
import { SOFTWARE } from "./http-edge.ts";
import { type FileDatabase, fileDatabase } from "./sqlite-d1.ts";
import { type Browser, visitor } from "./visitor.ts";

export const CONSOLE = "http://127.0.0.1:8788";
const SECRET = "session-secret-of-the-tests";
const FOLDER = "migrations/directory";

export interface ConsoleRoute {
  readonly method: string;
  /** As the router knows it: `/api/me/sessions/:session`. */
  readonly path: string;
}

export interface ConsoleEdge {
  /** Every route of the console, once. */
  readonly routes: readonly ConsoleRoute[];
  /** From the console's own page. */
  send(method: string, path: string, init?: RequestInit): Promise<Response>;
  /** The dependencies called besides the directory: strangers reach none of them. */
  readonly reached: ReadonlySet<string>;
  /** How many statements the directory was given so far. */
  statements(): number;
  /** A browser of its own. */
  visitor(): Browser;
  readonly directory: DatabaseSync;
  readonly lines: readonly ConsoleLogLine[];
  readonly mails: readonly Mail[];
  readonly login: LoginDeps;
}

/** A marker replaces the hash of a password: its cost is measured elsewhere. */
export function aConsole(
  changed: Partial<Omit<ConsoleDeps, "login">> & { readonly login?: Partial<ConsoleDeps["login"]> } = {},
): ConsoleEdge {
  const reached = new Set<string>();
  let statements = 0;
  const directory = fileDatabase(":memory:");
  const [lines, mails]: [ConsoleLogLine[], Mail[]] = [[], []];
  const deps: Partial<ConsoleDeps> & Pick<ConsoleDeps, "login"> = {
    ...depsOn(directory, () => {
      statements += 1;
    }),
    log: (line) => void lines.push(line),
    mailer: { send: async (mail) => void mails.push(mail) },
  };
  const login = { ...deps.login, ...changed.login };
  const app = createConsoleApp(onlyThese({ ...deps, ...changed, login }, reached));
  const routes = app.routes.filter(({ method, path }) => method !== "ALL" && !path.endsWith("*"));
  return {
    routes: [...new Map(routes.map(({ method, path }) => [`${method} ${path}`, { method, path }])).values()],
    reached,
    statements: () => statements,
    ...{ directory: directory.sqlite, lines, mails, login },
    visitor: () => visitor(CONSOLE, async (url, init) => app.request(url, init)),
    send: async (method, path, init = {}) => {
      const headers = { Origin: CONSOLE, "Content-Type": "application/json", ...init.headers };
      return app.request(`${CONSOLE}${path}`, { ...init, method, headers });
    },
  };
}

function depsOn(
  { d1: database, sqlite }: FileDatabase,
  onStatement: () => void,
): Partial<ConsoleDeps> & Pick<ConsoleDeps, "login"> {
  const d1 = countedBinding(database, onStatement);
  for (const name of readdirSync(FOLDER)
    .filter((each) => each.endsWith(".sql"))
    .toSorted())
    sqlite.exec(readFileSync(`${FOLDER}/${name}`, "utf8"));
  const random = (sizeBytes: number) => crypto.getRandomValues(new Uint8Array(sizeBytes));
  const inBackground = () => {};
  const now = () => Date.now();
  return {
    identity: identityOn({
      directory: d1,
      secrets: [SECRET],
      consoleUrl: CONSOLE,
      product: SOFTWARE.name,
      inBackground,
    }),
    login: {
      links: linkStore(d1),
      logins: loginStore(d1),
      emails: emailStore(d1),
      passkeys: passkeyStore(d1),
      tries: tryStore(d1),
      events: eventStore(d1),
      factors: secondFactorStore(d1),
      factorSeal: factorSealOf([SECRET], random),
      passwords: {
        ...passwords,
        hash: async (password) => `hash of ${password}`,
        matches: async (hash, password) => hash === `hash of ${password}`,
      },
      keyedHash: keyedHash(SECRET),
      olderHashes: () => [],
      product: SOFTWARE.name,
      ...{ random, now },
    },
    members: memberStore(d1),
    failedAuthentication: { limit: async () => ({ success: true }) },
    randomId: () => crypto.randomUUID(),
    environment: "test",
    apiUrl: "http://127.0.0.1:8787",
    consoleUrl: CONSOLE,
    supportEmail: "",
    software: SOFTWARE,
    ...{ random, now, inBackground },
  };
}

/** Notes and refuses every other dependency. */
function onlyThese(deps: Partial<ConsoleDeps>, reached: Set<string>): ConsoleDeps {
  return new Proxy(deps, {
    get(target, name) {
      if (Object.hasOwn(target, name)) return Reflect.get(target, name);
      reached.add(String(name));
      throw new Error(`a stranger came to ${String(name)}`);
    },
  }) as ConsoleDeps;
}
