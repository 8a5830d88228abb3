import type { Endpoint } from "./endpoint.ts";
import { declaracionResponsable } from "./endpoints/declaracion-responsable.tsx";
import { docs, index, openApi, stylesheet } from "./endpoints/docs.tsx";
import { getInvoice } from "./endpoints/get-invoice.ts";
import { getInvoiceFacturae } from "./endpoints/get-invoice-facturae.ts";
import { getInvoicePdf } from "./endpoints/get-invoice-pdf.ts";
import { getInvoiceRecord } from "./endpoints/get-invoice-record.ts";
import { getInvoiceUbl } from "./endpoints/get-invoice-ubl.ts";
import { getInvoices } from "./endpoints/get-invoices.ts";
import { getIssuedInvoice } from "./endpoints/get-issued-invoice.ts";
import { getModuleVersion } from "./endpoints/get-module-version.ts";
import { getOrder } from "./endpoints/get-order.ts";
import { getOrders } from "./endpoints/get-orders.ts";
import { health } from "./endpoints/health.ts";
import { postCancellation } from "./endpoints/post-cancellation.ts";
import { postClient } from "./endpoints/post-client.ts";
import { postInventory } from "./endpoints/post-inventory.ts";
import { postInvoice } from "./endpoints/post-invoice.ts";
import { postInvoiceAccess } from "./endpoints/post-invoice-access.ts";
import { postInvoiceAvailability } from "./endpoints/post-invoice-availability.ts";
import { postInvoiceEmail } from "./endpoints/post-invoice-email.ts";
import { postOrder } from "./endpoints/post-order.ts";
import { postOrderEvents } from "./endpoints/post-order-events.ts";
import { postShopDelivery } from "./endpoints/post-shop-delivery.ts";
import { postStatus } from "./endpoints/post-status.ts";
import { VIEWER_ENDPOINTS } from "./endpoints/viewer.ts";

/**
 * THE route table, in the order of the interface document. Routing, 404, 405 and OpenAPI are made from it.
 */
export const ENDPOINTS: readonly Endpoint[] = [
  postInvoice,
  getInvoice,
  postCancellation,
  getInvoices,
  getIssuedInvoice,
  getInvoicePdf,
  getInvoiceUbl,
  getInvoiceFacturae,
  getInvoiceRecord,
  postInvoiceEmail,
  postOrder,
  getOrders,
  // Before the path that would take these names as orders.
  postInvoiceAvailability,
  postInvoiceAccess,
  getOrder,
  postOrderEvents,
  postInventory,
  getModuleVersion,
  postClient,
  postStatus,
  postShopDelivery,
  health,
  openApi,
  docs,
  declaracionResponsable,
  index,
  stylesheet,
  ...VIEWER_ENDPOINTS,
];
