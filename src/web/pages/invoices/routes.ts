import type { RouteObject } from "react-router";
import { page } from "../../app/page.tsx";

export const invoicesPages: RouteObject[] = [
  {
    index: true,
    lazy: page(
      ["listed", "overview", "states", "shell"],
      async () => (await import("./overview-page.tsx")).OverviewPage,
    ),
  },
  {
    path: "facturas",
    lazy: page(
      ["invoices", "listed", "states", "filters"],
      async () => (await import("./invoices-page.tsx")).InvoicesPage,
    ),
  },
  {
    path: "facturas/nueva/:draft?",
    lazy: page(
      ["byHand", "invoices", "listed", "changes", "payment", "shell"],
      async () => (await import("../by-hand/by-hand-page.tsx")).ByHandPage,
    ),
  },
  {
    path: "facturas/borradores",
    lazy: page(["byHand", "shell"], async () => (await import("../by-hand/drafts-page.tsx")).DraftsPage),
  },
  {
    path: "facturas/:invoice",
    lazy: page(
      ["invoices", "listed", "changes", "states", "mailing", "oss"],
      async () => (await import("./invoice-page.tsx")).InvoicePage,
    ),
  },
  {
    path: "facturas/:invoice/rectificar",
    lazy: page(
      ["lines", "changes", "invoices", "listed", "orders", "states", "review", "oss"],
      async () => (await import("./rectify-lines/rectify-lines-page.tsx")).RectifyLinesPage,
    ),
  },
  {
    path: "envios",
    lazy: page(
      ["submission", "invoices", "listed", "sending", "checks", "states"],
      async () => (await import("./submission-page.tsx")).SubmissionPage,
    ),
  },
];
