/**
 * Every route of the owner's API with a request that it would take, made of ids: those of the caller's own, or of
 * somebody else. Whoever adds a route adds a row, or the tests of isolation and of hostile requests fail.
 */
import { companyBody } from "../../../src/console/company/company-shapes.ts";
import { claimDocumentQuery, claimSignatureBody } from "../../../src/console/company/proof-shapes.ts";
import { acceptBody } from "../../../src/console/people/people-shapes.ts";
import {
  deletionBody,
  newEmailBody,
  ownActivityQuery,
} from "../../../src/console/sign-in/identity-shapes.ts";
import { OF_ACCOUNT } from "./account-routes.ts";
import { OF_CONNECTION } from "./connection-routes.ts";
import { COMPANY, type ConsoleRoute, NONCE, NOTHING } from "./console-route.ts";
import type { ConsoleIds } from "./tenant.ts";

const ACCOUNT = "/api/accounts/:account";

export const CONSOLE_ROUTES: Readonly<Record<string, ConsoleRoute>> = {
  "GET /api/me": NOTHING,
  "POST /api/me/ownership/:account": NOTHING,
  "DELETE /api/me/ownership/:account": NOTHING,
  "POST /api/claims": {
    body: [claimSignatureBody, ({ account }) => ({ nonce: NONCE, signature: "MAA=", account })],
  },
  "POST /api/claims/document": { query: [claimDocumentQuery, ({ account }) => ({ nonce: NONCE, account })] },
  // Of an address that is not the caller's, so that the login stays.
  "DELETE /api/me": { body: [deletionBody, () => ({ email: "otra@correo.example" })] },
  "GET /api/me/sessions": NOTHING,
  "DELETE /api/me/sessions": NOTHING,
  "DELETE /api/me/sessions/:session": NOTHING,
  "GET /api/me/activity": { query: [ownActivityQuery, () => ({ before: "2026-11-28T10:00:00.000Z" })] },
  "POST /api/me/email": { body: [newEmailBody, () => ({ email: "nueva@correo.example" })] },
  "POST /api/invitations/accept": { body: [acceptBody, () => ({ token: "x" })] },
  "GET /api/declaration": NOTHING,
  "POST /api/accounts": {
    body: [
      companyBody,
      () => ({
        ...{ ...COMPANY, nif: "B12345674", territory: "peninsula", default_regime: "01" },
        ...{ common_rules_apply: true, keeps_books_in_sii: false },
      }),
    ],
  },
  ...below(ACCOUNT, OF_ACCOUNT),
  ...below(`${ACCOUNT}/connections/:connection`, OF_CONNECTION),
};

function below(base: string, routes: Readonly<Record<string, ConsoleRoute>>) {
  return Object.fromEntries(
    Object.entries(routes).map(([route, row]) => [route.replace(" ", ` ${base}`), row]),
  );
}

/** The request of a route, with its ids in their places. */
export function requestWith(
  route: string,
  ids: ConsoleIds,
  { account, connection }: Pick<ConsoleIds, "account" | "connection">,
): { readonly method: string; readonly path: string; readonly body?: object } {
  const [method = "", pattern = ""] = route.split(" ");
  const { body, query, named: inAddress } = CONSOLE_ROUTES[route] ?? {};
  const named: Readonly<Record<string, string>> = { ...ids, ...inAddress?.(ids), account, connection };
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(named[name] ?? "nowhere"));
  const asked = query ? new URLSearchParams(query[1](ids)).toString() : "";
  const taken = body?.[1](ids) ?? (method === "GET" || method === "DELETE" ? undefined : {});
  return { method, path: asked ? `${path}?${asked}` : path, ...(taken ? { body: taken } : {}) };
}
