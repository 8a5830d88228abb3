/** Routes of a connection. */

import * as settings from "../../../src/console/connections/settings-shapes.ts";
import { attemptsQuery, exportQuery, resendBody } from "../../../src/console/invoices/invoices-shapes.ts";
import {
  admissionBody,
  confirmedErasureBody,
  erasureBody,
} from "../../../src/console/orders/erasure-shapes.ts";
import * as orders from "../../../src/console/orders/orders-shapes.ts";
import {
  newProfileBody,
  orderTestBody,
  profileChangeBody,
  salesBody,
} from "../../../src/console/sales/profiles-shapes.ts";
import * as wizard from "../../../src/console/setup/wizard-shapes.ts";
import { verificationBody } from "../../../src/console/submission/verification-shapes.ts";
import { PROOF_CHECKS } from "../../../src/domain/proof/checks.ts";
import { type ConsoleRoute, DAY, EMPTY, GONE, NOTHING, RELEASE, versioned } from "./console-route.ts";
import type { ConsoleIds } from "./tenant.ts";

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

export const OF_CONNECTION: Readonly<Record<string, ConsoleRoute>> = {
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
      orders.alikeQuery,
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
  "PUT /name": { body: [settings.nameBody, versioned({ name: "Tienda del centro" })] },
  "POST /consent/withdrawal": { body: [settings.withdrawalBody, () => ({ name: "Tienda" })] },
  "PUT /consent/cutoff": { body: [settings.cutoffBody, versioned({ cutoff_date: DAY })] },
  "PUT /access": { body: [settings.accessBody, () => ({ enabled: false })] },
  "GET /origins": { query: [settings.originsQuery, () => ({})] },
  "POST /origins/refusals": { ...EMPTY, body: [settings.originBody, ({ origin }) => ({ origin })] },
  "POST /origins": { body: [settings.originBody, () => ({ origin: "https://tienda.example" })] },
  "DELETE /origins": { ...EMPTY, query: [settings.originQuery, ({ origin }) => ({ origin })] },
  "PUT /callback": { body: [settings.callbackBody, versioned({ url: "https://receptor.es/llamada" })] },
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
    body: [settings.webhookEventsBody, versioned({ events: ["order.held"] })],
  },
  "DELETE /webhooks/:webhook": { foreign: "409 webhook_not_found" },
  "POST /webhooks/:webhook/secrets": { foreign: "409 webhook_not_found" },
  "DELETE /webhooks/:webhook/secrets/previous": { foreign: "409 webhook_not_found" },
  "POST /webhooks/:webhook/tests": { foreign: "409 webhook_not_found" },
  "GET /webhooks/:webhook/deliveries": { ...EMPTY, query: [settings.pageQuery, () => ({})] },
  "POST /webhooks/deliveries/:delivery/resends": { foreign: "409 webhook_delivery_not_found" },
  "GET /setup": NOTHING,
  "PUT /stores": { body: [wizard.storesBody, versioned({ store_ids: "all" })] },
  "GET /consent-text": { query: [wizard.consentTextQuery, () => ({ cutoff_date: DAY })] },
  "PUT /stem": { body: [wizard.stemChoiceBody, versioned({ stem: "OTRA" })] },
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
