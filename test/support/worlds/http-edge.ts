import { createApp } from "../../../src/api/app.ts";
import type { AppDeps } from "../../../src/api/deps.ts";
import { forgedPlaces } from "../../../src/api/forged-places.ts";
import { knownKeys, noting, shapelessBodies } from "../../../src/api/known-keys.ts";
import type { OrderDocuments, SnapshotStore } from "../../../src/db/access/snapshot-store.ts";
import type { InvoiceListQuery } from "../../../src/db/invoices/listed-invoices.ts";
import type { OrderListQuery } from "../../../src/db/orders/changed-orders.ts";
import { newApiKey } from "../../../src/domain/connection/api-key.ts";
import { newId } from "../../../src/domain/connection/ids.ts";
import { UNGUIDED } from "../../../src/domain/connection/setup.ts";
import type { InvoiceView } from "../../../src/domain/invoice/invoice-view.ts";
import type { MailingRequest } from "../../../src/domain/mailing/decide-mailing.ts";
import type { InvoiceDelivery } from "../../../src/domain/mailing/invoice-delivery.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { seal } from "../../../src/domain/verifactu/record-hash.ts";
import { softwareFrom } from "../../../src/domain/verifactu/software.ts";
import { ACCESS_UNTOUCHED } from "../../../src/domain/viewer/access.ts";
import type {
  AccessOutcome,
  AccessRequest,
  AdmissionOutcome,
  AvailabilityOutcome,
  Viewing,
  ViewingOutcome,
} from "../../../src/ledger/access/customer-access.ts";
import type {
  CancelOutcome,
  InvoiceListOutcome,
  IssuedOutcome,
  IssueOutcome,
  KeyOutcome,
  ReadOutcome,
} from "../../../src/ledger/core/outcomes.ts";
import type { DeliveryOutcome, ShopDelivery } from "../../../src/ledger/deliveries/delivery-outcomes.ts";
import type { InvoicePreviewOutcome } from "../../../src/ledger/issue/decide-group.ts";
import type { EmailOutcome } from "../../../src/ledger/mailing/mailing-outcomes.ts";
import type {
  EventSubmission,
  EventsOutcome,
  OrderInvoice,
  OrderListOutcome,
  OrderOutcome,
  OrderSubmission,
  OrderView,
  ReadOrderOutcome,
} from "../../../src/ledger/orders/order-outcomes.ts";
import type {
  Caller,
  CancellationRequest,
  ConnectorCalls,
  PreparedInvoice,
} from "../../../src/ledger/rpc.ts";
import type { ShopOutcome, ShopReport } from "../../../src/ledger/shop/record-shop.ts";
import type { RequestLogLine } from "../../../src/platform/log.ts";
import { aCancellation, aRegistration } from "../builders/records.ts";
import { unsignedFacturae } from "../einvoice/unsigned.ts";

export const SERVER_SECRET = "a-server-secret-of-the-tests";
const zeros = (sizeBytes: number) => new Uint8Array(sizeBytes);

export const CONNECTION_ID = newId("cn", "000", zeros);
export const API_KEY = newApiKey(CONNECTION_ID, SERVER_SECRET, zeros);
export const FORGED_KEY = `${API_KEY.slice(0, -1)}${API_KEY.endsWith("0") ? "1" : "0"}`;

export const SOFTWARE = softwareFrom(
  JSON.stringify({
    producerName: "Productor Ficticio SL",
    producerNif: "B12345674",
    producerAddress: "Calle Mayor 1, 28001 Madrid, España",
    name: "Cuadre",
    code: "CU",
    version: "1.2.3",
    declarationDate: "2026-11-28",
    declarationPlace: "Madrid, España",
  }),
);

/** The calls of the connection's object, for tests of the edge. */
export interface Asked {
  readonly caller: Caller;
  readonly invoice?: PreparedInvoice;
  readonly previewed?: PreparedInvoice;
  readonly cancellation?: CancellationRequest;
  readonly externalId?: string;
  readonly invoiceId?: string;
  readonly invoices?: InvoiceListQuery;
  readonly orders?: OrderListQuery;
  readonly mailing?: MailingRequest;
  readonly report?: ShopReport;
  readonly order?: OrderSubmission;
  readonly events?: EventSubmission;
  readonly idExternal?: string;
  readonly ids?: readonly string[];
  readonly access?: AccessRequest;
}

export interface EdgeOptions {
  /** The object's answer about a key that the edge does not know. */
  readonly key?: KeyOutcome | Error;
  readonly issue?: IssueOutcome | Error;
  readonly preview?: InvoicePreviewOutcome | Error;
  readonly cancel?: CancelOutcome | Error;
  readonly read?: ReadOutcome | Error;
  readonly readIssued?: IssuedOutcome | Error;
  readonly listInvoices?: InvoiceListOutcome | Error;
  readonly listOrders?: OrderListOutcome | Error;
  readonly email?: EmailOutcome | Error;
  readonly report?: ShopOutcome | Error;
  readonly submit?: OrderOutcome | Error;
  readonly events?: EventsOutcome | Error;
  readonly readOrder?: ReadOrderOutcome | Error;
  readonly available?: AvailabilityOutcome | Error;
  readonly admit?: AdmissionOutcome | Error;
  readonly access?: AccessOutcome | Error;
  readonly deliver?: DeliveryOutcome | Error;
  /** In turn; the last one for all that follow. */
  readonly view?: readonly (ViewingOutcome | Error)[];
  /** Runs before every view. */
  readonly beforeView?: () => Promise<void>;
  readonly brake?: boolean | Error;
  readonly now?: () => number;
  readonly deps?: Partial<AppDeps>;
}

export function aDelivery(change: Partial<InvoiceDelivery> = {}): InvoiceDelivery {
  return {
    ...{
      id: "de000000000000000001",
      invoiceId: "in000000000000000001",
      channel: "email",
      to: "ana@cliente.es",
    },
    ...{ language: "es", formats: ["pdf"], cause: "call", state: "queued", attempts: 0, queuedAt: 0 },
    ...change,
  };
}

/** The edge with a connection that gives the set answers. */
export function anEdge(options: EdgeOptions = {}) {
  const asked: Asked[] = [];
  const lines: RequestLogLine[] = [];
  const braked: string[] = [];
  const viewings: Viewing[] = [];
  const delivered: ShopDelivery[] = [];
  const admissions: KeyOutcome["outcome"][] = [];
  const keys = knownKeys();
  const cache = memorySnapshots();
  const calls: ConnectorCalls = {
    admit: async () => {
      const admitted = given<KeyOutcome>(options.key ?? { outcome: "admitted" });
      admissions.push(admitted.outcome);
      return { ...admitted, d1Trips: 0 };
    },
    issueInvoice: async (caller, invoice) => {
      asked.push({ caller, invoice });
      return { ...given(options.issue ?? { outcome: "issued", invoice: aView() }), d1Trips: 2 };
    },
    previewInvoice: async (caller, previewed) => {
      asked.push({ caller, previewed });
      return { ...given(options.preview ?? { outcome: "previewed", preview: aView() }), d1Trips: 1 };
    },
    cancelInvoice: async (caller, cancellation) => {
      asked.push({ caller, cancellation });
      return { ...given(options.cancel ?? { outcome: "cancelled", invoice: aCancelledView() }), d1Trips: 2 };
    },
    readInvoice: async (caller, externalId) => {
      asked.push({ caller, externalId });
      return { ...given(options.read ?? { outcome: "found", invoice: aView() }), d1Trips: 1 };
    },
    emailInvoice: async (caller, mailing) => {
      asked.push({ caller, mailing });
      return {
        ...given<EmailOutcome>(options.email ?? { outcome: "queued", delivery: aDelivery() }),
        d1Trips: 3,
      };
    },
    readIssued: async (caller, invoiceId) => {
      asked.push({ caller, invoiceId });
      return { ...given(options.readIssued ?? { outcome: "found", invoice: aView() }), d1Trips: 1 };
    },
    listInvoices: async (caller, invoices) => {
      asked.push({ caller, invoices });
      const page: InvoiceListOutcome = { outcome: "found", invoices: [aView()] };
      return { ...given(options.listInvoices ?? page), d1Trips: 2 };
    },
    reportShop: async (caller, report) => {
      asked.push({ caller, report });
      return { ...given(options.report ?? recorded()), d1Trips: 1 };
    },
    submitOrder: async (caller, order) => {
      asked.push({ caller, order });
      return { ...given(options.submit ?? taken()), d1Trips: 2 };
    },
    submitEvents: async (caller, events) => {
      asked.push({ caller, events });
      return { ...given<EventsOutcome>(options.events ?? taken({}, false)), d1Trips: 2 };
    },
    readOrder: async (caller, idExternal) => {
      asked.push({ caller, idExternal });
      return { ...given(options.readOrder ?? { outcome: "found", order: anOrderView() }), d1Trips: 1 };
    },
    listOrders: async (caller, orders) => {
      asked.push({ caller, orders });
      const page: OrderListOutcome = { outcome: "found", orders: [anOrderView()] };
      return { ...given(options.listOrders ?? page), d1Trips: 2 };
    },
    findAvailable: async (caller, ids) => {
      asked.push({ caller, ids });
      return { ...given(options.available ?? { outcome: "found", available: ids }), d1Trips: 1 };
    },
    admitCustomers: async (caller) => {
      asked.push({ caller });
      return { ...given(options.admit ?? { outcome: "admitted" }), d1Trips: 0 };
    },
    openAccess: async (caller, access) => {
      asked.push({ caller, access });
      return { ...given(options.access ?? accessible()), d1Trips: 1 };
    },
    receiveDelivery: async (delivery) => {
      delivered.push(delivery);
      const received = { outcome: "received", deliveryId: delivery.deliveryId, as: "accepted" } as const;
      return { ...given<DeliveryOutcome>(options.deliver ?? received), d1Trips: 3 };
    },
    viewInvoices: async (viewing) => {
      const answers = options.view ?? [{ outcome: "open" }];
      const answer = answers[Math.min(viewings.length, answers.length - 1)] ?? { outcome: "closed" };
      viewings.push(viewing);
      await options.beforeView?.();
      return { ...given(answer), d1Trips: viewing.withDocuments ? 1 : 0 };
    },
  };
  let clock = 1_000;
  const now = options.now ?? (() => (clock += 5));
  const app = createApp({
    connection: () => noting(calls, keys, now),
    keys,
    shapeless: shapelessBodies(),
    forged: forgedPlaces(),
    apiKeySecrets: [SERVER_SECRET],
    now,
    randomId: () => "generated-id",
    log: (line) => lines.push(line),
    failedAuthentication: {
      limit: async ({ key }) => {
        braked.push(key);
        return { success: given(options.brake ?? true) };
      },
    },
    views: { byLink: unbraked, byNetwork: unbraked },
    inBackground: (work) => void work,
    health: async () => ({
      healthy: true,
      parts: [{ name: "ledger", healthy: true }],
      schema: { oldest: "0000_tables.sql", newest: "0001_append_only.sql" },
      checkedAt: Date.UTC(2026, 10, 27, 10),
    }),
    software: SOFTWARE,
    consoleUrl: "https://console.example",
    viewerTokenSecrets: VIEWER_SECRETS,
    random: (sizeBytes) => crypto.getRandomValues(new Uint8Array(sizeBytes)),
    snapshots: cache.snapshots,
    facturae: unsignedFacturae(SOFTWARE, now),
    brand: { readPng: async () => undefined, printed: async (look) => (look ? { look } : {}) },
    ...options.deps,
  });
  return { app, asked, lines, braked, viewings, delivered, cache, admissions };
}

/** A cache that keeps no files. */
export const NO_FILES = { readFile: async () => undefined, keepFile: async () => {} };

const unbraked = { limit: async () => ({ success: true }) };

export const VIEWER_SECRETS = ["a-viewer-secret-of-the-tests", "an-older-one"];

/** A cache that never forgets, and its requests. */
export function memorySnapshots() {
  const kept = new Map<string, OrderDocuments>();
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  const calls: string[] = [];
  const snapshots: SnapshotStore = {
    read: async (token) => {
      calls.push("read");
      return kept.get(token);
    },
    keep: async (token, documents) => {
      calls.push("keep");
      kept.set(token, documents);
    },
    readFile: async (token, name) => {
      calls.push("readFile");
      return files.get(`${token} ${name}`);
    },
    keepFile: async (token, name, { bytes }) => {
      calls.push("keepFile");
      files.set(`${token} ${name}`, bytes);
    },
  };
  return { snapshots, kept, files, calls };
}

type Accessible = Extract<AccessOutcome, { readonly outcome: "available" }>;

export function accessible(change: Partial<Accessible> = {}): Accessible {
  return {
    outcome: "available",
    epoch: 0,
    framing: { presentation: "link" },
    documents: someDocuments(),
    ...change,
  };
}

export function someDocuments(change: Partial<OrderDocuments> = {}): OrderDocuments {
  return { orderReference: "5001", seller: "Tienda", isEcbRate: false, views: [aView()], ...change };
}

/** One new row, on a connection that is ready. */
export function recorded(change: Partial<Recorded> = {}): Recorded {
  const standing = { setup: UNGUIDED, consented: true, access: ACCESS_UNTOUCHED };
  return { outcome: "recorded", created: 1, updated: 0, standing, ...change };
}

type Recorded = Extract<ShopOutcome, { readonly outcome: "recorded" }>;

/** An order that was not known before. */
export function taken(change: Partial<OrderView> = {}, created = true): OrderOutcome {
  return { outcome: "taken", order: anOrderView(change), created };
}

/** An order with its invoice of 100.00 + 21.00. */
export function anOrderView(change: Partial<OrderView> = {}): OrderView {
  return {
    idExternal: "5001",
    state: "invoiced",
    reasons: [],
    warnings: [],
    contractVersion: "1.8",
    invoices: [anOrderInvoice()],
    ...change,
  };
}

export function anOrderInvoice(change: Partial<OrderInvoice> = {}): OrderInvoice {
  const { groups, totals } = aView().document;
  return {
    kind: "invoice",
    invoiceType: "F2",
    series: "PED-1S-2026",
    issueDate: "2026-11-27",
    currency: "EUR",
    groups,
    totals,
    issued: {
      invoiceId: "in0000000000000000002",
      number: 1,
      fullNumber: "PED-1S-2026-000001",
      state: "pending_submission",
    },
    ...change,
  };
}

/** Headers of a caller with a genuine key and a JSON body. */
export const AUTHORISED = { "X-API-KEY": API_KEY, "Content-Type": "application/json" };

export function postOf(body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { method: "POST", headers: { ...AUTHORISED, ...headers }, body: text };
}

/** The smallest invoice that has the right shape. */
export function aBody(change: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    external_id: "order-1",
    invoice_type: "F2",
    description: "Venta",
    currency: "EUR",
    lines: [aLine()],
    ...change,
  };
}

export function aLine(change: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { description: "Silla", quantity: 1, price_unit: 100, tax_rate: 21, ...change };
}

export function aView(change: Partial<InvoiceView> = {}): InvoiceView {
  const totals = { base: decimal("100"), tax: decimal("21"), surcharge: decimal("0"), total: decimal("121") };
  return {
    invoiceId: "in0000000000000000001",
    origin: "direct:order-1",
    externalId: "order-1",
    series: "API-1S-2026",
    number: 7,
    fullNumber: "API-1S-2026-000007",
    issueDate: "2026-11-27",
    requestId: "the-first-request",
    environment: "test",
    document: {
      v: 1,
      request: {
        externalId: "order-1",
        invoiceType: "F2",
        regime: "art7_simplified",
        flags: [],
        description: "Venta",
        currency: "EUR",
        pricesIncludeTax: false,
        lines: [
          {
            description: "Silla",
            quantity: decimal("1"),
            priceUnit: decimal("100"),
            taxRate: decimal("21"),
            qualification: "S1",
          },
        ],
        rectifies: [],
      },
      fingerprint: "f".repeat(64),
      issuer: { name: "Tienda SL", nif: "B12345674", address1: "Calle 1", postcode: "28001", city: "Madrid" },
      defaults: { tax: "01", regime: "01" },
      lineAmounts: [decimal("100")],
      groups: [
        {
          tax: "01",
          regime: "01",
          qualification: "S1",
          rate: decimal("21"),
          amounts: totals,
          eur: totals,
        },
      ],
      totals,
      totalsEur: totals,
      cited: [],
      warnings: [],
    },
    alta: {
      recordId: "rc1",
      record: seal(aRegistration(), 1),
      state: "pending_submission",
      requestId: "the-first-request",
    },
    corrections: [],
    rectifiedBy: [],
    ...change,
  };
}

export function withDocument(change: Partial<InvoiceView["document"]>): InvoiceView {
  const view = aView();
  return { ...view, document: { ...view.document, ...change } };
}

export function withRequest(change: Partial<InvoiceView["document"]["request"]>): InvoiceView {
  const { document } = aView();
  return withDocument({ request: { ...document.request, ...change } });
}

export function aCancelledView(): InvoiceView {
  const view = aView();
  const { content, hash } = view.alta.record;
  const chain = { first: false, hash, ...content.key } as const;
  const cancellation = {
    recordId: "rc2",
    record: seal(aCancellation({ chain }), 2),
    state: "pending_submission",
    requestId: "the-second-request",
    reason: "Nunca se vendió",
  } as const;
  return { ...view, corrections: [cancellation], cancellation };
}

export const ISSUE_DATE = civilDate("2026-11-27");

function given<Outcome>(outcome: Outcome | Error): Outcome {
  if (outcome instanceof Error) throw outcome;
  return outcome;
}
