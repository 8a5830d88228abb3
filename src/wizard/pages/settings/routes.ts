import type { RouteObject } from "react-router";

/** Connections, profiles, the company and its activity. */
export const settingsPages: RouteObject[] = [
  {
    path: "conexiones",
    lazy: async () => ({ Component: (await import("./connections-page.tsx")).ConnectionsPage }),
  },
  {
    path: "conexiones/:connection/:tab?",
    lazy: async () => ({ Component: (await import("./connection-page.tsx")).ConnectionPage }),
  },
  {
    path: "perfiles",
    lazy: async () => ({ Component: (await import("./profiles-page.tsx")).ProfilesPage }),
  },
  {
    path: "perfiles/:connection/:profile",
    lazy: async () => ({ Component: (await import("./profile-page.tsx")).ProfilePage }),
  },
  {
    path: "empresa/:tab?",
    lazy: async () => ({ Component: (await import("./company-page.tsx")).CompanyPage }),
  },
  {
    path: "actividad",
    lazy: async () => ({ Component: (await import("./activity-page.tsx")).ActivityPage }),
  },
];
