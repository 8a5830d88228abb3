/** The attackers' calls: each is made from its number alone, so every run sends the same. */
import type { Facts } from "./scene.ts";

export interface Attack {
  readonly name: string;
  /** How many calls are on their way at once. */
  readonly inFlight: number;
  /** All callers together; the product may answer fewer. */
  readonly perSecond: number;
  readonly call: (facts: Facts, index: number) => AttackCall;
}

export interface AttackCall {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const JSON_TYPE = { "Content-Type": "application/json" };
const ONE_NETWORK = { "CF-Connecting-IP": "203.0.113.7" };

/** Twenty thousand short words, each of which is nearly everywhere in the password. */
const NAME_OF_80_KB = "aaz ".repeat(20_000);
const PASSWORD_OF_80_KB = `bcdefghi${"a".repeat(79_992)}`;
const BODY_OF_900_KB = JSON.stringify({
  external_id: "x",
  lines: Array.from({ length: 13_000 }, (_, index) => ({
    ...{ line_id: `l${index}`, quantity: 1, price_unit: 1.5, nested: [[1], [2]], more: "x" },
  })),
});

export const ATTACKS: readonly Attack[] = [
  {
    name: "name and password of 80 KB to sign up, reset and change",
    ...{ inFlight: 4, perSecond: 10 },
    call: ({ url }, index) => {
      const path = ["sign-up/email", "reset-password", "change-password"][index % 3];
      const passwords = { password: PASSWORD_OF_80_KB, newPassword: PASSWORD_OF_80_KB };
      const body = { email: "ana@correo.example", name: NAME_OF_80_KB, token: "none", ...passwords };
      const headers = { ...JSON_TYPE, Origin: url, ...networkOf(index) };
      return { method: "POST", path: `/api/auth/${path}`, headers, body: JSON.stringify(body) };
    },
  },
  {
    name: "900 KB with a forged and a revoked key",
    ...{ inFlight: 4, perSecond: 10 },
    call: ({ forgedKey, revokedKey }, index) => ({
      ...{ method: "POST", path: "/api/v1/invoice", body: BODY_OF_900_KB },
      headers: { ...JSON_TYPE, ...networkOf(index), "X-API-KEY": index % 2 ? forgedKey : revokedKey },
    }),
  },
  {
    name: "900 KB without shape with one living key, until its brake",
    ...{ inFlight: 4, perSecond: 10 },
    call: ({ otherKey }) => ({
      ...{ method: "POST", path: "/api/v1/invoice", body: BODY_OF_900_KB },
      headers: { ...JSON_TYPE, ...ONE_NETWORK, "X-API-KEY": otherKey },
    }),
  },
  {
    name: "page and PDF of 5,000 lines by one link, as often as it may",
    ...{ inFlight: 2, perSecond: 2 },
    call: ({ page, pdf }, index) => ({
      ...{ method: "GET", path: index % 3 === 0 ? page : pdf },
      headers: { ...networkOf(index), "Accept-Language": index % 3 === 1 ? "en" : "es" },
    }),
  },
  {
    name: "/health",
    ...{ inFlight: 8, perSecond: 100 },
    call: (_, index) => ({ method: "GET", path: "/health", headers: networkOf(index) }),
  },
  {
    name: "cron, with a person of many companies",
    ...{ inFlight: 1, perSecond: 5 },
    call: ({ cronPath }) => ({ method: "GET", path: cronPath }),
  },
  {
    name: "a hundred new stores, and the page that shows stores",
    ...{ inFlight: 4, perSecond: 10 },
    call: ({ shopKey, shopPath, cookie }, index) => {
      if (index % 4 === 0) return { method: "GET", path: shopPath, headers: { Cookie: cookie } };
      const stores = Array.from({ length: 100 }, (_, at) => {
        const id = `${index}-${at}`;
        return { id, name: `Tienda ${id}`, url: `https://t${id}.tienda.example` };
      });
      const headers = { ...JSON_TYPE, ...ONE_NETWORK, "X-API-KEY": shopKey };
      return { method: "POST", path: "/v1/inventory", headers, body: JSON.stringify({ stores }) };
    },
  },
  {
    name: "invitations of one owner, until their quota",
    ...{ inFlight: 4, perSecond: 5 },
    call: ({ url, cookie, peoplePath }, index) => ({
      ...{ method: "POST", path: peoplePath, headers: { ...JSON_TYPE, Origin: url, Cookie: cookie } },
      body: JSON.stringify({ email: `persona.${index}@correo.example`, role: "accountant" }),
    }),
  },
  {
    name: "wrong passwords of one account from everywhere",
    ...{ inFlight: 4, perSecond: 5 },
    call: ({ url, email }, index) => ({
      ...{ method: "POST", path: "/api/auth/sign-in/email" },
      headers: { ...JSON_TYPE, Origin: url, ...networkOf(index) },
      body: JSON.stringify({ email, password: `cuatro lunas ${index}` }),
    }),
  },
];

/** A network of its own for each, so that the brake of none is reached. */
function networkOf(index: number): Readonly<Record<string, string>> {
  return { "CF-Connecting-IP": `2001:db8:${index.toString(16)}::1` };
}
