import type { RouteObject } from "react-router";

export const invoicesPages: RouteObject[] = [
  {
    index: true,
    lazy: async () => ({ Component: (await import("./overview-page.tsx")).OverviewPage }),
  },
  {
    path: "facturas",
    lazy: async () => ({ Component: (await import("./invoices-page.tsx")).InvoicesPage }),
  },
  {
    path: "facturas/:invoice",
    lazy: async () => ({ Component: (await import("./invoice-page.tsx")).InvoicePage }),
  },
  {
    path: "envios",
    lazy: async () => ({ Component: (await import("./submission-page.tsx")).SubmissionPage }),
  },
];
