import type { Endpoint } from "./endpoint.ts";
import { declaracionResponsable } from "./routes/declaracion-responsable.tsx";
import { docs } from "./routes/docs.tsx";
import { getInvoice } from "./routes/get-invoice.ts";
import { getModuleVersion } from "./routes/get-module-version.ts";
import { getOrder } from "./routes/get-order.ts";
import { health } from "./routes/health.ts";
import { index } from "./routes/index.ts";
import { openApi } from "./routes/openapi.ts";
import { postCancellation } from "./routes/post-cancellation.ts";
import { postClient } from "./routes/post-client.ts";
import { postInventory } from "./routes/post-inventory.ts";
import { postInvoice } from "./routes/post-invoice.ts";
import { postInvoiceAccess } from "./routes/post-invoice-access.ts";
import { postInvoiceAvailability } from "./routes/post-invoice-availability.ts";
import { postOrder } from "./routes/post-order.ts";
import { postStatus } from "./routes/post-status.ts";
import { stylesheet } from "./routes/stylesheet.ts";
import { VIEWER_ENDPOINTS } from "./routes/viewer.ts";

/**
 * THE route table, in the order of the interface document. Routing, 404, 405 and OpenAPI are made from it.
 */
export const ENDPOINTS: readonly Endpoint[] = [
  postInvoice,
  getInvoice,
  postCancellation,
  postOrder,
  // Before the path that would take their names for orders.
  postInvoiceAvailability,
  postInvoiceAccess,
  getOrder,
  postInventory,
  getModuleVersion,
  postClient,
  postStatus,
  health,
  openApi,
  docs,
  declaracionResponsable,
  index,
  stylesheet,
  ...VIEWER_ENDPOINTS,
];
