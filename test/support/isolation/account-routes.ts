/** Routes of an account. */
import { activityQuery } from "../../../src/console/activity/activity-shapes.ts";
import {
  authorisationBody,
  authorisationQuery,
  companyChangeBody,
  ossRateQuery,
} from "../../../src/console/company/company-settings-shapes.ts";
import { documentQuery, signatureBody } from "../../../src/console/company/proof-shapes.ts";
import { newConnectionBody } from "../../../src/console/connections/connection-shapes.ts";
import { fromQuery } from "../../../src/console/connections/settings-shapes.ts";
import * as invoices from "../../../src/console/invoices/invoices-shapes.ts";
import * as orders from "../../../src/console/orders/orders-shapes.ts";
import { invitationBody, roleBody } from "../../../src/console/people/people-shapes.ts";
import {
  COMPANY,
  type ConsoleRoute,
  DAY,
  EMPTY,
  GONE,
  NONCE,
  NOTHING,
  ofConnection,
  RELEASE,
  versioned,
} from "./console-route.ts";

/** The one tax group of the invoices of `aTenant`. */
const GROUP = "01|01|S1|21|";
const RECTIFYING = {
  invoice_type: "R1",
  method: "difference",
  cause: "Descuento",
  amounts: [{ group: GROUP, amount: "10" }],
};

export const OF_ACCOUNT: Readonly<Record<string, ConsoleRoute>> = {
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
  "GET /overview": { ...EMPTY, query: [invoices.overviewQuery, ofConnection] },
  "GET /overview/attention": NOTHING,
  "GET /invoices": {
    ...EMPTY,
    query: [invoices.invoicesQuery, ({ connection, series }) => ({ connection, series })],
  },
  "GET /invoices/choices": NOTHING,
  "GET /invoices/:invoice": GONE,
  "GET /invoices/:invoice/pdf": GONE,
  "GET /invoices/:invoice/xml": GONE,
  "POST /invoices/:invoice/corrections": {
    ...GONE,
    body: [
      invoices.correctionBody,
      () => ({ correction: "annul", deed: "deed-0001", reason: "No hubo venta" }),
    ],
  },
  "POST /invoices/:invoice/rectifications": {
    ...GONE,
    body: [invoices.rectificationBody, () => ({ deed: "deed-0002", ...RECTIFYING })],
  },
  "POST /invoices/:invoice/finding": {
    ...GONE,
    named: ({ duplicate }) => ({ invoice: duplicate }),
    body: [invoices.findingBody, () => ({ found: "ours", reason: "Visto en la sede" })],
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
  "POST /review/answers": {
    ...GONE,
    body: [
      orders.manyBody,
      ({ connection, order }) => ({ orders: [{ connection, order_id: order }], answer: RELEASE }),
    ],
  },
  "GET /connections": NOTHING,
  "GET /profiles": { query: [fromQuery, () => ({ from: "0" })] },
  "GET /company": NOTHING,
  "PUT /company": {
    body: [
      companyChangeBody,
      versioned({ ...COMPANY, default_regime: "01", registry: "", common_rules_apply: true }),
    ],
  },
  "GET /company/representation/document": NOTHING,
  "POST /company/authorisations": {
    body: [authorisationBody, () => ({ number: "AUT-1", limit: "1000" })],
  },
  "DELETE /company/authorisations": {
    foreign: "409 authorisation_not_active",
    query: [authorisationQuery, ({ authorisation }) => ({ number: authorisation })],
  },
  // Of what is not kept there is nothing to take back.
  "DELETE /company/oss-rates": {
    ...EMPTY,
    query: [ossRateQuery, () => ({ area: "FR", rate: "13.37" })],
  },
  "GET /activity": { ...EMPTY, query: [activityQuery, ({ person }) => ({ person })] },
  "GET /activity/people": NOTHING,
};
