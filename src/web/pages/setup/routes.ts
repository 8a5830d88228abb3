import type { RouteObject } from "react-router";
import { page } from "../../app/page.tsx";

/** Under `/e/:account/conectar`, without the navigation: nothing competes with the next step. */
export const setupPages: RouteObject[] = [
  {
    lazy: page(["setup"], async () => (await import("./frame.tsx")).SetupShell),
    children: [
      { index: true, lazy: page(["setup"], async () => (await import("./connect.tsx")).ConnectPage) },
      {
        path: ":connection",
        lazy: page(
          ["setup", "shops", "connections"],
          async () => (await import("./connected.tsx")).ConnectedPage,
        ),
      },
      {
        path: ":connection/tiendas",
        lazy: page(["setup"], async () => (await import("./stores.tsx")).StoresPage),
      },
      {
        path: ":connection/facturacion",
        lazy: page(["setup", "company"], async () => (await import("./consent.tsx")).ConsentPage),
      },
      {
        path: ":connection/progreso",
        lazy: page(["setup", "shell", "states"], async () => (await import("./progress.tsx")).ProgressPage),
      },
    ],
  },
];
