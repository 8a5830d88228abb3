/** The console's edge in plain Node, over a directory in memory: as far as a stranger comes. */
import { readdirSync, readFileSync } from "node:fs";
import { createConsoleApp } from "../../src/http/console/app.ts";
import type { ConsoleDeps } from "../../src/http/console/deps.ts";
import { identityOn } from "../../src/identity/identity.ts";
import { keyedHash } from "../../src/identity/keyed-hash.ts";
import { passwords } from "../../src/identity/passwords.ts";
import { countedBinding } from "../../src/storage/counted-binding.ts";
import { emailStore } from "../../src/storage/login/emails.ts";
import { eventStore } from "../../src/storage/login/events.ts";
import { linkStore } from "../../src/storage/login/links.ts";
import { loginStore } from "../../src/storage/login/logins.ts";
import { passkeyStore } from "../../src/storage/login/passkeys.ts";
import { tryStore } from "../../src/storage/login/tries.ts";
import { memberStore } from "../../src/storage/member-store.ts";
import { fileDatabase } from "./file-d1.ts";
import { SOFTWARE } from "./http-edge.ts";

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
  /** What was asked for beside the directory: strangers come to nothing of it. */
  readonly reached: ReadonlySet<string>;
  /** How many statements the directory was given so far. */
  statements(): number;
}

/** A password is tried without its cost, which is the same whatever is tried. */
export function aConsole(changed: Partial<ConsoleDeps> = {}): ConsoleEdge {
  const reached = new Set<string>();
  let statements = 0;
  const deps = depsOnMemory(() => {
    statements += 1;
  });
  const app = createConsoleApp(onlyThese({ ...deps, ...changed }, reached));
  const routes = app.routes.filter(({ method, path }) => method !== "ALL" && !path.endsWith("*"));
  return {
    routes: [...new Map(routes.map(({ method, path }) => [`${method} ${path}`, { method, path }])).values()],
    reached,
    statements: () => statements,
    send: async (method, path, init = {}) => {
      const headers = { Origin: CONSOLE, "Content-Type": "application/json", ...init.headers };
      return app.request(`${CONSOLE}${path}`, { ...init, method, headers });
    },
  };
}

function depsOnMemory(onStatement: () => void): Partial<ConsoleDeps> {
  const { d1: database, sqlite } = fileDatabase(":memory:");
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
      passwords: { ...passwords, matches: async () => false },
      keyedHash: keyedHash(SECRET),
      product: SOFTWARE.name,
      ...{ random, now },
    },
    members: memberStore(d1),
    mailer: { send: async () => {} },
    failedAuthentication: { limit: async () => ({ success: true }) },
    randomId: () => crypto.randomUUID(),
    log: () => {},
    causeOf: String,
    environment: "test",
    apiUrl: "http://127.0.0.1:8787",
    consoleUrl: CONSOLE,
    software: SOFTWARE,
    ...{ random, now, inBackground },
  };
}

/** Notes and refuses whatever else is asked for. */
function onlyThese(deps: Partial<ConsoleDeps>, reached: Set<string>): ConsoleDeps {
  return new Proxy(deps, {
    get(target, name) {
      if (Object.hasOwn(target, name)) return Reflect.get(target, name);
      reached.add(String(name));
      throw new Error(`a stranger came to ${String(name)}`);
    },
  }) as ConsoleDeps;
}
