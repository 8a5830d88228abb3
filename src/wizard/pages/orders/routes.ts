import type { RouteObject } from "react-router";

export const ordersPages: RouteObject[] = [
  { path: "pedidos", lazy: async () => ({ Component: (await import("./orders-page.tsx")).OrdersPage }) },
  {
    path: "pedidos/:connection/:order",
    lazy: async () => ({ Component: (await import("./order-page.tsx")).OrderPage }),
  },
  { path: "por-revisar", lazy: async () => ({ Component: (await import("./review-page.tsx")).ReviewPage }) },
  {
    path: "por-revisar/:connection/:order",
    lazy: async () => ({ Component: (await import("./review-one-page.tsx")).ReviewOnePage }),
  },
];
