/**
 * Every route of the owner's API with a request that it would take, made of ids: those of the caller's own, or of
 * somebody else. Whoever adds a route adds a row, or the tests of isolation and of hostile requests fail.
 */
import type { z } from "zod";
import { PROOF_CHECKS } from "../../../src/domain/proof/checks.ts";
import { activityQuery } from "../../../src/http/contract/console/activity.ts";
import { companyBody } from "../../../src/http/contract/console/company.ts";
import {
  authorisationBody,
  authorisationQuery,
  companyChangeBody,
} from "../../../src/http/contract/console/company-settings.ts";
import { newConnectionBody } from "../../../src/http/contract/console/connection.ts";
import {
  attemptsQuery,
  correctionBody,
  exportQuery,
  invoicesQuery,
  overviewQuery,
} from "../../../src/http/contract/console/invoices.ts";
import * as orders from "../../../src/http/contract/console/orders.ts";
import { acceptBody, invitationBody, roleBody } from "../../../src/http/contract/console/people.ts";
import {
  newProfileBody,
  orderTestBody,
  profileChangeBody,
  salesBody,
} from "../../../src/http/contract/console/profiles.ts";
import * as settings from "../../../src/http/contract/console/settings.ts";
import { verificationBody } from "../../../src/http/contract/console/verification.ts";
import * as wizard from "../../../src/http/contract/console/wizard.ts";
import type { ConsoleIds } from "./tenant.ts";

export interface ConsoleRoute {
  readonly body?: readonly [contract: z.ZodType, sample: (ids: ConsoleIds) => object];
  readonly query?: readonly [
    contract: z.ZodType,
    sample: (ids: ConsoleIds) => Readonly<Record<string, string>>,
  ];
  /** What is answered to who names what is not theirs, the same as for what nobody has. */
  readonly foreign?: string;
}

const DAY = "2026-11-01";
const NOTHING: ConsoleRoute = {};
const GONE = { foreign: "404 not_found" } as const;
const EMPTY = { foreign: "200" } as const;

const SELLS = { name: "Web", stem: "WEB" };
const COMPANY = {
  legal_name: "Comercial del Sur SL",
  address1: "Calle Mayor 2",
  postcode: "28013",
  city: "Madrid",
};
const SIGNER = { signer: "María Pérez", signer_nif: "12345678Z", capacity: "director", power: "" };
const SHA = "0".repeat(64);
const RELEASE = { answer: "release" };

const UNCHECKED = Object.fromEntries(PROOF_CHECKS.map((check) => [check, { checked: 0, broken: 0 }]));

const ofOrder: ConsoleRoute["query"] = [orders.orderQuery, ({ order }) => ({ order_id: order })];
const ofConnection = ({ connection }: ConsoleIds) => ({ connection });

function walkThrough({ account, connection, installation, series }: ConsoleIds): object {
  const of = { connectionId: connection, accountId: account };
  const chain = { ...of, installationId: installation, installationNumber: installation };
  const chains = [{ ...chain, environment: "test", openedAt: 0, last: 1 }];
  const at = { walk: "chains", index: 0 };
  return { from: { chains, series: [{ ...of, code: series, last: 1 }], at, tally: UNCHECKED } };
}

const OF_ACCOUNT: Readonly<Record<string, ConsoleRoute>> = {
  "GET /people": NOTHING,
  "POST /people/invitations": {
    body: [invitationBody, () => ({ email: "gestoria@correo.example", role: "accountant" })],
  },
  "DELETE /people/invitations/:invitation": EMPTY,
  "PUT /people/:person": { ...GONE, body: [roleBody, () => ({ role: "accountant" })] },
  "DELETE /people/:person": GONE,
  "POST /connections": { body: [newConnectionBody, () => ({ kind: "api", name: "Otra" })] },
  "GET /overview": { ...EMPTY, query: [overviewQuery, ofConnection] },
  "GET /overview/attention": NOTHING,
  "GET /invoices": {
    ...EMPTY,
    query: [invoicesQuery, ({ connection, series }) => ({ connection, series })],
  },
  "GET /invoices/choices": NOTHING,
  "GET /invoices/:invoice": GONE,
  "GET /invoices/:invoice/pdf": GONE,
  "GET /invoices/:invoice/xml": GONE,
  "POST /invoices/:invoice/corrections": {
    ...GONE,
    body: [correctionBody, () => ({ correction: "annul", deed: "deed-0001", reason: "No hubo venta" })],
  },
  "GET /notice": NOTHING,
  "GET /submission": NOTHING,
  "GET /orders": { ...EMPTY, query: [orders.ordersQuery, ofConnection] },
  "GET /orders/search": { ...EMPTY, query: [orders.orderSearchQuery, ({ order }) => ({ text: order })] },
  "GET /orders/places": NOTHING,
  "GET /review": { ...EMPTY, query: [orders.reviewQuery, ofConnection] },
  "GET /review/count": NOTHING,
  "GET /review/groups": { ...EMPTY, query: [orders.reviewGroupsQuery, ofConnection] },
  "GET /review/place": {
    ...EMPTY,
    query: [
      orders.reviewPlaceQuery,
      ({ connection, order }) => ({ of_connection: connection, order_id: order, due: DAY }),
    ],
  },
  "POST /review/answers": {
    ...GONE,
    body: [
      orders.manyBody,
      ({ connection, order }) => ({ orders: [{ connection, order_id: order }], answer: RELEASE }),
    ],
  },
  "GET /connections": NOTHING,
  "GET /profiles": NOTHING,
  "GET /company": NOTHING,
  "PUT /company": {
    body: [companyChangeBody, () => ({ ...COMPANY, default_regime: "01", common_rules_apply: true })],
  },
  "GET /company/representation/document": NOTHING,
  "POST /company/authorisations": {
    body: [authorisationBody, () => ({ number: "AUT-1", limit: "1000" })],
  },
  "DELETE /company/authorisations": {
    foreign: "409 authorisation_not_active",
    query: [authorisationQuery, ({ authorisation }) => ({ number: authorisation })],
  },
  "GET /activity": { ...EMPTY, query: [activityQuery, ({ person }) => ({ person })] },
  "GET /activity/people": NOTHING,
};

const OF_CONNECTION: Readonly<Record<string, ConsoleRoute>> = {
  "GET /submission/attempts": {
    ...EMPTY,
    query: [attemptsQuery, ({ installation }) => ({ installation })],
  },
  "POST /submission/resume": NOTHING,
  "POST /verification/check": { ...EMPTY, body: [verificationBody, walkThrough] },
  "GET /exports/invoices.csv": { query: [exportQuery, () => ({ month: "2026-11" })] },
  "GET /exports/records.xml": { query: [exportQuery, () => ({ month: "2026-11" })] },
  "GET /order": { ...GONE, query: ofOrder },
  "GET /order/sent": { ...GONE, query: ofOrder },
  "POST /order/preview": {
    foreign: "404 order_not_found",
    body: [orders.previewBody, ({ order }) => ({ order_id: order, answers: [RELEASE] })],
  },
  "POST /order/answers": {
    foreign: "404 order_not_found",
    body: [
      orders.answersBody,
      ({ order, profile }) => ({
        order_id: order,
        answers: [RELEASE],
        for_all: { profile_id: profile, answers: [0] },
      }),
    ],
  },
  "GET /order/alike": {
    ...EMPTY,
    query: [
      orders.alikeQuery,
      ({ order, profile }) => ({ order_id: order, code: "untreated_total", profile_id: profile }),
    ],
  },
  "GET /waiting": { query: [orders.cutoffQuery, () => ({ cutoff: DAY })] },
  "GET /waiting/cutoff": { query: [orders.cutoffQuery, () => ({ cutoff: DAY })] },
  "GET /waiting/progress": NOTHING,
  "GET ": NOTHING,
  "POST /consent/withdrawal": { body: [settings.withdrawalBody, () => ({ name: "Tienda" })] },
  "PUT /consent/cutoff": { body: [settings.cutoffBody, () => ({ cutoff_date: DAY })] },
  "PUT /access": { body: [settings.accessBody, () => ({ enabled: false })] },
  "POST /origins": { body: [settings.originBody, () => ({ origin: "https://tienda.example" })] },
  "DELETE /origins": { ...EMPTY, query: [settings.originQuery, ({ origin }) => ({ origin })] },
  "PUT /callback": { body: [settings.callbackBody, () => ({ url: "https://receptor.es/llamada" })] },
  "DELETE /callback": NOTHING,
  "POST /callback/calls": NOTHING,
  "POST /keys": NOTHING,
  "DELETE /keys/:key": GONE,
  "GET /profiles": NOTHING,
  "POST /profiles": { body: [newProfileBody, () => SELLS] },
  "PUT /profiles/:profile": {
    foreign: "422 profile_unknown",
    body: [profileChangeBody, () => ({ name: "Otro nombre" })],
  },
  "DELETE /profiles/:profile": EMPTY,
  "PUT /sales": { body: [salesBody, () => ({ customer_credit: "payment" })] },
  "PUT /tags": { body: [settings.tagRuleBody, () => ({ tag: "mayorista", action: "hold" })] },
  "DELETE /tags": { ...EMPTY, query: [settings.tagQuery, ({ tag }) => ({ tag })] },
  "POST /stem/check": { body: [settings.stemBody, () => ({ stem: "OTRA" })] },
  "POST /profiles/stem/check": {
    ...EMPTY,
    body: [settings.profileStemBody, ({ profile }) => ({ stem: "OTRA", profile })],
  },
  "POST /profiles/test": {
    foreign: "422 order_unknown",
    body: [orderTestBody, ({ order, profile }) => ({ order, draft: { id: profile, ...SELLS } })],
  },
  "GET /webhooks": NOTHING,
  "POST /webhooks": {
    body: [settings.webhookBody, () => ({ url: "https://receptor.es/avisos", events: ["invoice.issued"] })],
  },
  "PUT /webhooks/:webhook": {
    foreign: "409 webhook_not_found",
    body: [settings.webhookEventsBody, () => ({ events: ["invoice.issued"] })],
  },
  "DELETE /webhooks/:webhook": { foreign: "409 webhook_not_found" },
  "POST /webhooks/:webhook/secrets": { foreign: "409 webhook_not_found" },
  "DELETE /webhooks/:webhook/secrets/previous": { foreign: "409 webhook_not_found" },
  "POST /webhooks/:webhook/tests": { foreign: "409 webhook_not_found" },
  "GET /webhooks/:webhook/deliveries": { ...EMPTY, query: [settings.pageQuery, () => ({})] },
  "POST /webhooks/deliveries/:delivery/resends": { foreign: "409 webhook_delivery_not_found" },
  "GET /setup": NOTHING,
  "PUT /stores": { body: [wizard.storesBody, () => ({ store_ids: "all" })] },
  "GET /consent-text": { query: [wizard.consentTextQuery, () => ({ cutoff_date: DAY })] },
  "PUT /stem": { body: [wizard.stemChoiceBody, () => ({ stem: "OTRA", version: "0" })] },
  "POST /consent": {
    body: [
      wizard.consentBody,
      () => ({
        ...{ consent_id: "co000", text_version: "1", text_sha256: SHA, cutoff_date: DAY },
        ...{ common_rules_apply: true, keeps_books_in_sii: false },
      }),
    ],
  },
  "GET /representation-text": { query: [wizard.representationQuery, () => SIGNER] },
  "POST /representation": { body: [wizard.representationBody, () => ({ ...SIGNER, text_sha256: SHA })] },
  "POST /representation/withdraw": NOTHING,
};

const ACCOUNT = "/api/accounts/:account";

export const CONSOLE_ROUTES: Readonly<Record<string, ConsoleRoute>> = {
  "GET /api/me": NOTHING,
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
  within: Pick<ConsoleIds, "account" | "connection">,
): { readonly method: string; readonly path: string; readonly body?: object } {
  const [method = "", pattern = ""] = route.split(" ");
  const named: Readonly<Record<string, string>> = { ...ids, ...within };
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(named[name] ?? "nowhere"));
  const { body, query } = CONSOLE_ROUTES[route] ?? {};
  const asked = query ? new URLSearchParams(query[1](ids)).toString() : "";
  const taken = body?.[1](ids) ?? (method === "GET" || method === "DELETE" ? undefined : {});
  return { method, path: asked ? `${path}?${asked}` : path, ...(taken ? { body: taken } : {}) };
}
