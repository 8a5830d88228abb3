import { env, exports } from "cloudflare:workers";
import { vi } from "vitest";
import { sha256Hex } from "../../../src/domain/shared/hash.ts";
import { type Connector, openCommerce, orderConnector } from "./order-calls.ts";
import type { Shop, ShopOptions } from "./shop.ts";
import { type Browser, visitor } from "./visitor.ts";

export type { Browser, ConsoleAnswer } from "./visitor.ts";

/** The console as a browser uses it: cookies kept, the origin said. */

const ORIGIN = "http://127.0.0.1:8788";
export const PASSWORD = "cuatro lunas de marzo";

export function browser(): Browser {
  return visitor(ORIGIN, (url, init) => exports.OwnerApi.fetch(url, init));
}

let people = 0;

/** A link as it would be mailed to who signs up. */
export async function signUpLink(email: string, name: string): Promise<string> {
  const token = `link-of-the-tests-${email}`;
  const now = Date.now();
  await env.DIRECTORY.prepare(
    `INSERT INTO identity_link (token_sha256, kind, email, name, created_at, expires_at)
     VALUES (?, 'sign_up', ?, ?, ?, ?)`,
  )
    .bind(sha256Hex(token), email, name, now, now + 3_600_000)
    .run();
  return token;
}

/** A new person, signed in. */
export async function newPerson(name = "María Ferrer"): Promise<Browser & { readonly email: string }> {
  people += 1;
  const email = `persona.${people}@correo.example`;
  const signedIn = browser();
  const token = await signUpLink(email, name);
  const answer = await signedIn.post("/api/auth/reset-password", { token, newPassword: PASSWORD });
  if (answer.status !== 200) throw new Error(`choosing a password answered ${answer.status}`);
  return { ...signedIn, email };
}

/** That person as owner of an existing account, such as that of `openShop()`. */
export async function ownerOf(
  account: { readonly accountId: string; readonly ledger?: string; readonly nif?: string },
  role: "owner" | "accountant" = "owner",
): Promise<Browser & { readonly email: string; readonly userId: string }> {
  const person = await newPerson();
  const { user } = (await person.get("/api/me")).body.data;
  const ledger = account.ledger ?? account.accountId.slice(2, 5);
  await env.DIRECTORY.batch([
    env.DIRECTORY.prepare(
      "INSERT INTO account_directory (account_id, nif, ledger, opened_at) VALUES (?, ?, ?, 0) ON CONFLICT DO NOTHING",
    ).bind(account.accountId, account.nif ?? account.accountId, ledger),
    env.DIRECTORY.prepare("INSERT INTO account_owner (account_id, owner_id, role) VALUES (?, ?, ?)").bind(
      account.accountId,
      user.id,
      role,
    ),
  ]);
  return { ...person, userId: user.id };
}

/** The console's routes about orders, as the owner of a shop calls them. */

export interface ShopConsole {
  readonly shop: Shop;
  readonly connector: Connector;
  readonly owner: Awaited<ReturnType<typeof ownerOf>>;
  /** The URL of a route below the account. */
  at(path: string, query?: Readonly<Record<string, string>>): string;
  /** The URL of a route below the connection. */
  of(path: string, query?: Readonly<Record<string, string>>): string;
}

export async function shopConsole(options: ShopOptions = {}): Promise<ShopConsole> {
  const shop = await openCommerce(options);
  return { shop, connector: orderConnector(shop), owner: await ownerOf(shop), ...addressesOf(shop) };
}

export function addressesOf({ accountId, connectionId }: Shop): Pick<ShopConsole, "at" | "of"> {
  const asked = (path: string, query: Readonly<Record<string, string>> = {}) =>
    Object.keys(query).length === 0 ? path : `${path}?${new URLSearchParams(query)}`;
  return {
    at: (path, query) => asked(`/api/accounts/${accountId}${path}`, query),
    of: (path, query) => asked(`/api/accounts/${accountId}/connections/${connectionId}${path}`, query),
  };
}

/** The mails of the product while a test runs: on a developer's machine mails are printed. */

interface HeardMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mails {
  all(): readonly HeardMail[];
  to(email: string): readonly HeardMail[];
  /** Mails are sent after the answer: waits until there are so many to the address. */
  arrived(email: string, count?: number): Promise<readonly HeardMail[]>;
  /** The token of the newest link that was mailed to the address. */
  token(email: string, count?: number): Promise<string>;
  /** Lines of the log of that level. */
  lines(level: string): readonly Readonly<Record<string, unknown>>[];
}

export function hearMails(): Mails {
  const printed = vi.spyOn(console, "log");
  const lines = (level: string) =>
    printed.mock.calls.flatMap(([line]) => {
      const text = String(line);
      return text.includes(`"level":"${level}"`)
        ? [JSON.parse(text) as Readonly<Record<string, unknown>>]
        : [];
    });
  const all = () => lines("mail") as unknown as readonly HeardMail[];
  const to = (email: string) => all().filter((mail) => mail.to === email);
  const arrived = (email: string, count = 1) =>
    vi.waitFor(
      () => {
        const found = to(email);
        if (found.length < count) throw new Error(`${found.length} mails to ${email}`);
        return found;
      },
      { timeout: 10_000 },
    );
  return {
    ...{ lines, all, to, arrived },
    token: async (email, count) =>
      /token=([\w-]+)/.exec((await arrived(email, count)).at(-1)?.text ?? "")?.[1] ?? "",
  };
}
