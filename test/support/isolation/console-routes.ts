import type { z } from "zod";
import { activityQuery } from "../../../src/console/activity/routes.ts";
import { contactBody } from "../../../src/console/company/contact.ts";
import { lookBody, lookPreviewBody } from "../../../src/console/company/look.ts";
import {
  claimDocumentQuery,
  claimSignatureBody,
  documentQuery,
  signatureBody,
} from "../../../src/console/company/proofs.ts";
import {
  authorisationBody,
  authorisationQuery,
  companyBody,
  companyChangeBody,
  ossRateQuery,
} from "../../../src/console/company/routes.ts";
import * as connections from "../../../src/console/connections/routes.ts";
import { newConnectionBody } from "../../../src/console/connections/routes.ts";
import * as drafts from "../../../src/console/drafts/routes.ts";
import { findQuery } from "../../../src/console/find/routes.ts";
import { rectificationBody } from "../../../src/console/invoices/rectification.ts";
import { linesBody, linesPreviewBody } from "../../../src/console/invoices/rectified-lines.ts";
import * as invoices from "../../../src/console/invoices/routes.ts";
import * as mailing from "../../../src/console/mailing/routes.ts";
import { admissionBody, confirmedErasureBody, erasureBody } from "../../../src/console/orders/erasure.ts";
import * as questions from "../../../src/console/orders/questions.ts";
import * as orders from "../../../src/console/orders/routes.ts";
import { overviewQuery } from "../../../src/console/overview/routes.ts";
import { deletionBody, newEmailBody, ownActivityQuery } from "../../../src/console/people/own-login.ts";
import { acceptBody, invitationBody, roleBody } from "../../../src/console/people/routes.ts";
import {
  newProfileBody,
  orderTestBody,
  profileChangeBody,
  salesBody,
} from "../../../src/console/sales/forms.ts";
import { forgottenQuery, rememberedQuery } from "../../../src/console/sales/remembered.ts";
import {
  fromQuery,
  profileStemBody,
  stemBody,
  tagQuery,
  tagRuleBody,
} from "../../../src/console/sales/routes.ts";
import * as setup from "../../../src/console/setup/routes.ts";
import * as backfills from "../../../src/console/shop/backfill-routes.ts";
import * as shops from "../../../src/console/shop/routes.ts";
import { codeBody } from "../../../src/console/sign-in/second-factor-routes.ts";
import {
  attemptsQuery,
  exportQuery,
  resendBody,
  verificationBody,
} from "../../../src/console/submission/routes.ts";
import { PROOF_CHECKS } from "../../../src/domain/proof/checks.ts";
import { A_DRAFT } from "../builders/drafts.ts";
import type { ConsoleIds } from "./tenant.ts";

/** One row of the tables of the owner's API. */

type Sample = (ids: ConsoleIds) => object;

interface ConsoleRoute {
  /** The ids of its address, where not the first of their kind. */
  readonly named?: (ids: ConsoleIds) => Partial<ConsoleIds>;
  readonly body?: readonly [contract: z.ZodType, sample: Sample, ...others: Sample[]];
  readonly query?: readonly [
    contract: z.ZodType,
    sample: (ids: ConsoleIds) => Readonly<Record<string, string>>,
  ];
  /** The answer to another's ids, the same as to missing ones. */
  readonly foreign?: string;
  /** The tenant's own thing has none of it either. */
  readonly ownHasNone?: true;
}

/** Requests without ids. */
const NOTHING: ConsoleRoute = {};
const GONE = { foreign: "404 not_found" } as const;
const EMPTY = { foreign: "200" } as const;

const DAY = "2026-11-01";
const COMPANY = {
  legal_name: "Comercial del Sur SL",
  address1: "Calle Mayor 2",
  postcode: "28013",
  city: "Madrid",
};
/** The code of a text to sign that was never given out. */
const NONCE = "z".repeat(32);
const RELEASE = { answer: "release" };

/** The version of a form; nothing has this one. */
const NO_VERSION = "0";

/** With the version that the ids bring along, if they do. */
function versioned(form: object) {
  return ({ version = NO_VERSION }: ConsoleIds) => ({ ...form, version });
}

const ofConnection = ({ connection }: ConsoleIds) => ({ connection });
const questionIn = ({ connection }: ConsoleIds) => ({ connection, text: '["manual_issuing"]' });

/** Routes of an account. */

/** The one tax group of the invoices of `aTenant`. */
const GROUP = "01|01|S1|21|";
const RECTIFYING = {
  invoice_type: "R1",
  method: "difference",
  cause: "Descuento",
  amounts: [{ group: GROUP, amount: "10" }],
};

const OF_ACCOUNT: Readonly<Record<string, ConsoleRoute>> = {
  "GET /people": NOTHING,
  "POST /people/invitations": {
    body: [invitationBody, () => ({ email: "gestoria@correo.example", role: "accountant" })],
  },
  "DELETE /people/invitations/:invitation": GONE,
  "PUT /people/:person": { ...GONE, body: [roleBody, () => ({ role: "accountant" })] },
  "DELETE /people/:person": GONE,
  "GET /verification": NOTHING,
  "POST /proofs/text": NOTHING,
  "POST /proofs/document": { query: [documentQuery, () => ({ nonce: NONCE })] },
  "POST /proofs/certificate": { body: [signatureBody, () => ({ nonce: NONCE, signature: "MAA=" })] },
  "POST /connections": { body: [newConnectionBody, () => ({ kind: "api", name: "Otra" })] },
  "GET /overview": { ...EMPTY, query: [overviewQuery, ofConnection] },
  "GET /overview/attention": NOTHING,
  "GET /find": { ...EMPTY, query: [findQuery, ({ order }) => ({ q: order })] },
  "GET /invoices": {
    ...EMPTY,
    query: [invoices.invoicesQuery, ({ connection, series }) => ({ connection, series })],
  },
  "GET /invoices/choices": NOTHING,
  "GET /invoices/:invoice": GONE,
  "GET /invoices/:invoice/pdf": GONE,
  "GET /invoices/:invoice/xml": GONE,
  "GET /invoices/:invoice/ubl": GONE,
  "GET /invoices/:invoice/facturae": GONE,
  "GET /invoices/:invoice/record": GONE,
  "POST /invoices/:invoice/corrections": {
    ...GONE,
    body: [
      invoices.correctionBody,
      () => ({ correction: "annul", deed: "deed-0001", reason: "No hubo venta" }),
    ],
  },
  "GET /drafts": { query: [drafts.draftsQuery, () => ({})] },
  "GET /drafts/form": NOTHING,
  "POST /drafts/connection": NOTHING,
  "POST /drafts": { body: [drafts.newDraftBody, () => ({ idempotency_key: "deed-0004", content: A_DRAFT })] },
  "GET /drafts/:draft": GONE,
  "PUT /drafts/:draft": { ...GONE, body: [drafts.draftBody, () => ({ version: 1, content: A_DRAFT })] },
  "DELETE /drafts/:draft": { ...GONE, query: [drafts.discardQuery, () => ({ version: "1" })] },
  "POST /drafts/:draft/duplicate": {
    ...GONE,
    body: [drafts.duplicateBody, () => ({ idempotency_key: "deed-0005" })],
  },
  "POST /invoices/:invoice/duplicate": {
    ...GONE,
    body: [drafts.duplicateBody, () => ({ idempotency_key: "deed-0007" })],
  },
  "POST /drafts/:draft/preview": GONE,
  "POST /drafts/:draft/issue": {
    ...GONE,
    body: [
      drafts.draftIssueBody,
      () => ({
        idempotency_key: "deed-0006",
        expects: { version: 1, number: "MAN-2-2026-000001", total: "921.42" },
      }),
    ],
  },
  "POST /invoices/:invoice/rectifications/preview": {
    ...GONE,
    body: [linesPreviewBody, () => ({ what: "refund", lines: [{ line: 1, quantity: "1" }], cause: "Rota" })],
  },
  "POST /invoices/:invoice/rectifications": {
    ...GONE,
    body: [
      linesBody,
      () => ({
        ...{ idempotency_key: "deed-0003", what: "refund", cause: "Rota" },
        ...{ lines: [{ line: 1, amount: "1" }], expects: { total: "-1" } },
      }),
    ],
  },
  "POST /invoices/:invoice/rectifications/groups": {
    ...GONE,
    body: [rectificationBody, () => ({ deed: "deed-0002", ...RECTIFYING })],
  },
  "POST /invoices/:invoice/finding": {
    ...GONE,
    named: ({ duplicate }) => ({ invoice: duplicate }),
    body: [invoices.findingBody, () => ({ found: "ours", reason: "Visto en la sede" })],
  },
  "POST /invoices/:invoice/mails": {
    ...GONE,
    body: [
      mailing.mailBody,
      () => ({
        deed: "deed-0003",
        to: "ana@cliente.example",
        language: "es",
        formats: ["pdf"],
        resend: false,
      }),
    ],
  },
  "GET /notice": NOTHING,
  "GET /submission": NOTHING,
  "GET /orders": { ...EMPTY, query: [orders.ordersQuery, ofConnection] },
  "GET /orders/count": { ...EMPTY, query: [orders.ordersFilter, ofConnection] },
  "GET /orders/search": { ...EMPTY, query: [orders.orderSearchQuery, ({ order }) => ({ text: order })] },
  "GET /orders/places": { ...EMPTY, query: [orders.placesQuery, ofConnection] },
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
  "GET /review/questions": { ...EMPTY, query: [questions.questionsQuery, ofConnection] },
  "POST /review/questions/preview": {
    ...GONE,
    body: [questions.questionPreviewBody, (of) => ({ question: questionIn(of), except: [] })],
  },
  "GET /review/questions/answers": {
    ...GONE,
    ownHasNone: true,
    query: [questions.questionJobQuery, ({ connection }) => ({ connection, id: "0-answered-together" })],
  },
  "POST /review/questions/answers": {
    ...GONE,
    body: [
      questions.questionAnswerBody,
      (of) => ({
        idempotency_key: "0-answered-together",
        question: questionIn(of),
        answer: { answer: "approve" },
        except: [],
        remember: false,
      }),
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
  "GET /profiles": { query: [fromQuery, () => ({ from: "0" })] },
  "GET /remembered": { query: [rememberedQuery, () => ({})] },
  "DELETE /remembered": {
    ...GONE,
    query: [
      forgottenQuery,
      ({ connection }) => ({ connection, setting: "zeroRateBasis", version: NO_VERSION }),
    ],
  },
  "GET /company": NOTHING,
  "PUT /company": {
    body: [
      companyChangeBody,
      versioned({ ...COMPANY, default_regime: "01", registry: "", common_rules_apply: true }),
    ],
  },
  "PUT /company/contact": {
    body: [
      contactBody,
      versioned({ email: "facturas@sur.example", payment: { means: "cash" }, due_days: 30 }),
    ],
  },
  "PUT /company/look": {
    body: [lookBody, versioned({ accent: "#7A4A00", footer: "Gracias por tu compra." })],
  },
  "POST /company/look/preview": { body: [lookPreviewBody, () => ({ accent: "#7A4A00" })] },
  "GET /company/look/logo": { ...GONE, ownHasNone: true },
  "PUT /company/look/logo": NOTHING,
  "DELETE /company/look/logo": NOTHING,
  "GET /company/representation/document": NOTHING,
  "POST /company/authorisations": {
    body: [authorisationBody, () => ({ number: "AUT-1", limit: "1000" })],
  },
  "DELETE /company/authorisations": {
    foreign: "409 authorisation_not_active",
    query: [authorisationQuery, ({ authorisation }) => ({ number: authorisation })],
  },
  // A rate that is not kept cannot be withdrawn.
  "DELETE /company/oss-rates": {
    ...EMPTY,
    query: [ossRateQuery, () => ({ area: "FR", rate: "13.37" })],
  },
  "GET /activity": { ...EMPTY, query: [activityQuery, ({ person }) => ({ person })] },
  "GET /activity/people": NOTHING,
};

/** Routes of a connection. */

const SELLS = { name: "Web", stem: "WEB", channel: "web" };
const SIGNER = { signer: "María Pérez", signer_nif: "12345678Z", capacity: "director", power: "" };
const SHA = "0".repeat(64);

const UNCHECKED = Object.fromEntries(PROOF_CHECKS.map((check) => [check, { checked: 0, broken: 0 }]));

const ofOrder: ConsoleRoute["query"] = [orders.orderQuery, ({ order }) => ({ order_id: order })];

function walkThrough({ account, connection, installation, series }: ConsoleIds): object {
  const of = { connectionId: connection, accountId: account };
  const chain = { ...of, installationId: installation, installationNumber: installation };
  const chains = [{ ...chain, environment: "test", openedAt: 0, last: 1 }];
  const at = { walk: "chains", index: 0 };
  return { from: { chains, series: [{ ...of, code: series, last: 1 }], at, tally: UNCHECKED } };
}

const OF_CONNECTION: Readonly<Record<string, ConsoleRoute>> = {
  "GET /submission/attempts": {
    ...EMPTY,
    query: [attemptsQuery, ({ installation }) => ({ installation })],
  },
  "POST /submission/resume": NOTHING,
  "POST /submission/resend": {
    ...EMPTY,
    body: [resendBody, ({ declined }) => ({ deed: "deed-0003", invoice: declined })],
  },
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
      ({ reactivated }) => ({ order_id: reactivated, answers: [{ answer: "issue" }] }),
    ],
  },
  "GET /order/alike": {
    ...EMPTY,
    query: [
      orders.similarQuery,
      ({ order, profile }) => ({ order_id: order, code: "untreated_total", profile_id: profile }),
    ],
  },
  "GET /waiting": { query: [orders.cutoffQuery, () => ({ cutoff: DAY })] },
  "GET /waiting/cutoff": { query: [orders.cutoffQuery, () => ({ cutoff: DAY })] },
  "GET /waiting/progress": NOTHING,
  "POST /erasure/preview": {
    foreign: "404 nothing_to_erase",
    body: [erasureBody, ({ erased }) => ({ of: "order", id: erased })],
  },
  "POST /erasure": {
    foreign: "404 nothing_to_erase",
    body: [confirmedErasureBody, ({ client }) => ({ of: "client", id: client, confirmation: client })],
  },
  "POST /erasure/admission": { ...EMPTY, body: [admissionBody, ({ erased }) => ({ id: erased })] },
  "GET /evidence": NOTHING,
  "GET /evidence/:evidence": GONE,
  "GET ": NOTHING,
  "PUT /name": { body: [connections.nameBody, versioned({ name: "Tienda del centro" })] },
  "POST /consent/withdrawal": { body: [connections.withdrawalBody, () => ({ name: "Tienda" })] },
  "PUT /consent/cutoff": { body: [connections.cutoffBody, versioned({ cutoff_date: DAY })] },
  "PUT /access": { body: [connections.accessBody, () => ({ enabled: false })] },
  "GET /origins": { query: [connections.originsQuery, () => ({})] },
  "POST /origins/refusals": { ...EMPTY, body: [connections.originBody, ({ origin }) => ({ origin })] },
  "POST /origins": { body: [connections.originBody, () => ({ origin: "https://tienda.example" })] },
  "DELETE /origins": { ...EMPTY, query: [connections.originQuery, ({ origin }) => ({ origin })] },
  "PUT /callback": { body: [connections.callbackBody, versioned({ url: "https://receptor.es/llamada" })] },
  "DELETE /callback": NOTHING,
  "POST /callback/calls": NOTHING,
  "POST /keys": NOTHING,
  "DELETE /keys/:key": GONE,
  "GET /profiles": NOTHING,
  "POST /profiles": { body: [newProfileBody, () => SELLS] },
  "PUT /profiles/:profile": {
    foreign: "422 profile_unknown",
    body: [profileChangeBody, versioned({ name: "Otro nombre" })],
  },
  "DELETE /profiles/:profile": EMPTY,
  "PUT /sales": { body: [salesBody, versioned({ customer_credit: "payment" })] },
  "PUT /tags": { body: [tagRuleBody, () => ({ tag: "mayorista", action: "hold" })] },
  "DELETE /tags": { ...EMPTY, query: [tagQuery, ({ tag }) => ({ tag })] },
  "POST /stem/check": { body: [stemBody, () => ({ stem: "OTRA" })] },
  "POST /profiles/stem/check": {
    ...EMPTY,
    body: [profileStemBody, ({ profile }) => ({ stem: "OTRA", profile })],
  },
  "POST /profiles/test": {
    foreign: "422 order_unknown",
    body: [orderTestBody, ({ order, profile }) => ({ order, draft: { id: profile, ...SELLS } })],
  },
  "GET /shop": NOTHING,
  "PUT /shop": { body: [shops.shopBody, () => ({ platform: "woocommerce" })] },
  "DELETE /shop": NOTHING,
  "PUT /shop/statuses": {
    foreign: "409 shop_missing",
    body: [shops.statusesBody, versioned({ statuses: [{ status: "completed", means: "invoice" }] })],
  },
  "POST /shop/address": { foreign: "409 shop_missing" },
  "POST /shop/secret": { foreign: "409 shop_missing" },
  "DELETE /shop/secret/previous": { foreign: "409 shop_missing" },
  "POST /shop/test": { foreign: "409 shop_missing" },
  "POST /shop/reconcile": { foreign: "409 shop_missing" },
  "POST /shop/orders/:order/fetch": { foreign: "409 shop_order_unknown" },
  "GET /shop/orders/:order/document": { foreign: "404 not_found", ownHasNone: true },
  "GET /shop/seen": NOTHING,
  "GET /mailing": NOTHING,
  "PUT /mailing": { body: [mailing.mailingBody, () => ({ to: "accepting" })] },
  "POST /shop/webhooks": { foreign: "409 shop_missing" },
  "GET /shop/backfill": { ...EMPTY, query: [backfills.candidatesQuery, () => ({})] },
  "GET /shop/backfill/totals": NOTHING,
  "POST /shop/backfill": {
    foreign: "409 shop_missing",
    body: [backfills.backfillBody, () => ({ from: "cutoff" })],
  },
  "POST /shop/backfill/confirm": {
    foreign: "409 shop_backfill_missing",
    body: [backfills.confirmBody, versioned({ all: true })],
  },
  "DELETE /shop/backfill": NOTHING,
  "GET /shop/deliveries": { ...EMPTY, query: [shops.deliveriesQuery, () => ({})] },
  "GET /webhooks": NOTHING,
  "POST /webhooks": {
    body: [
      connections.webhookBody,
      () => ({ url: "https://receptor.es/avisos", events: ["invoice.issued"] }),
    ],
  },
  "PUT /webhooks/:webhook": {
    foreign: "409 webhook_not_found",
    body: [connections.webhookEventsBody, versioned({ events: ["order.held"] })],
  },
  "DELETE /webhooks/:webhook": { foreign: "409 webhook_not_found" },
  "POST /webhooks/:webhook/secrets": { foreign: "409 webhook_not_found" },
  "DELETE /webhooks/:webhook/secrets/previous": { foreign: "409 webhook_not_found" },
  "POST /webhooks/:webhook/tests": { foreign: "409 webhook_not_found" },
  "GET /webhooks/:webhook/deliveries": { ...EMPTY, query: [connections.pageQuery, () => ({})] },
  "POST /webhooks/deliveries/:delivery/resends": { foreign: "409 webhook_delivery_not_found" },
  "GET /setup": NOTHING,
  "PUT /stores": { body: [setup.storesBody, versioned({ store_ids: "all" })] },
  "GET /consent-text": { query: [setup.consentTextQuery, () => ({ cutoff_date: DAY })] },
  "PUT /stem": { body: [setup.stemChoiceBody, versioned({ stem: "OTRA" })] },
  "POST /consent": {
    body: [
      setup.consentBody,
      () => ({
        ...{ consent_id: "co000", text_version: "1", text_sha256: SHA, cutoff_date: DAY },
        ...{ common_rules_apply: true, keeps_books_in_sii: false },
      }),
    ],
  },
  "GET /representation-text": { query: [setup.representationQuery, () => SIGNER] },
  "POST /representation": { body: [setup.representationBody, () => ({ ...SIGNER, text_sha256: SHA })] },
  "POST /representation/withdraw": NOTHING,
};

/**
 * Every route of the owner's API with a valid request, made of ids: the caller's own, or another's. A new
 * route needs a row, or the tests of isolation and of hostile requests fail.
 */

const ACCOUNT = "/api/accounts/:account";

export const CONSOLE_ROUTES: Readonly<Record<string, ConsoleRoute>> = {
  "GET /api/me": NOTHING,
  "POST /api/me/ownership/:account": NOTHING,
  "DELETE /api/me/ownership/:account": NOTHING,
  "POST /api/claims": {
    body: [claimSignatureBody, ({ account }) => ({ nonce: NONCE, signature: "MAA=", account })],
  },
  "POST /api/claims/document": { query: [claimDocumentQuery, ({ account }) => ({ nonce: NONCE, account })] },
  // With an address that is not the caller's, so that the login stays.
  "DELETE /api/me": { body: [deletionBody, () => ({ email: "otra@correo.example" })] },
  "GET /api/me/sessions": NOTHING,
  "DELETE /api/me/sessions": NOTHING,
  "DELETE /api/me/sessions/:session": NOTHING,
  "GET /api/me/activity": { query: [ownActivityQuery, () => ({ before: "2026-11-28T10:00:00.000Z" })] },
  "GET /api/me/second-factor": NOTHING,
  "POST /api/me/second-factor/set-up": NOTHING,
  "POST /api/me/second-factor/confirm": { body: [codeBody, () => ({ code: "123456" })] },
  "DELETE /api/me/second-factor": { body: [codeBody, () => ({ code: "123456" })] },
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
