import type { RouteObject } from "react-router";

/** Under `/e/:account/conectar`, without the navigation: nothing competes with the next step. */
export const wizardPages: RouteObject[] = [
  {
    lazy: async () => ({ Component: (await import("./wizard-shell.tsx")).WizardShell }),
    children: [
      { index: true, lazy: async () => ({ Component: (await import("./connect.tsx")).ConnectPage }) },
      {
        path: ":connection",
        lazy: async () => ({ Component: (await import("./connected.tsx")).ConnectedPage }),
      },
      {
        path: ":connection/tiendas",
        lazy: async () => ({ Component: (await import("./stores.tsx")).StoresPage }),
      },
      {
        path: ":connection/facturacion",
        lazy: async () => ({ Component: (await import("./consent.tsx")).ConsentPage }),
      },
      {
        path: ":connection/progreso",
        lazy: async () => ({ Component: (await import("./progress.tsx")).ProgressPage }),
      },
    ],
  },
];
