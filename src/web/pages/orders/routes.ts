import type { RouteObject } from "react-router";
import { page } from "../../app/page.tsx";

export const ordersPages: RouteObject[] = [
  {
    path: "pedidos",
    lazy: page(
      ["orders", "review", "states", "filters"],
      async () => (await import("./orders-page.tsx")).OrdersPage,
    ),
  },
  {
    path: "pedidos/:connection/:order",
    lazy: page(
      ["orders", "review", "invoices", "listed", "states", "shops", "oss"],
      async () => (await import("./order-page.tsx")).OrderPage,
    ),
  },
  {
    path: "por-revisar",
    lazy: page(
      ["review", "orders", "states", "questions", "profiles", "oss"],
      async () => (await import("./review-page.tsx")).ReviewPage,
    ),
  },
  {
    path: "por-revisar/:connection/:order",
    lazy: page(
      ["review", "orders", "states", "shops", "invoices", "questions", "oss"],
      async () => (await import("./review-one-page.tsx")).ReviewOnePage,
    ),
  },
];
