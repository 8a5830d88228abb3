import type { RouteObject } from "react-router";
import { page } from "../../app/page.tsx";

/** Outside the companies: it belongs to none. */
export const declarationPage: RouteObject = {
  path: "declaracion",
  lazy: page(["company", "shell"], async () => (await import("./declaration-tab.tsx")).DeclarationPage),
};

/** Connections, profiles, the company and its activity. */
export const settingsPages: RouteObject[] = [
  {
    path: "conexiones",
    lazy: page(
      ["connections", "states"],
      async () => (await import("./connections-page.tsx")).ConnectionsPage,
    ),
  },
  {
    path: "conexiones/:connection/:tab?",
    lazy: page(
      [
        "connections",
        "states",
        "setup",
        "activity",
        "company",
        "erasure",
        "shops",
        "profiles",
        "review",
        "mailing",
      ],
      async () => (await import("./connection-page.tsx")).ConnectionPage,
    ),
  },
  {
    path: "perfiles",
    lazy: page(
      ["profiles", "remembered", "review", "questions"],
      async () => (await import("./profiles-page.tsx")).ProfilesPage,
    ),
  },
  {
    path: "perfiles/:connection/:profile",
    lazy: page(
      ["profiles", "connections", "payment"],
      async () => (await import("./profile-page.tsx")).ProfilePage,
    ),
  },
  {
    path: "empresa/:tab?",
    lazy: page(
      ["company", "payment", "invoices", "listed", "signIn", "setup", "connections", "people"],
      async () => (await import("./company-page.tsx")).CompanyPage,
    ),
  },
  {
    path: "actividad",
    lazy: page(
      ["activity", "company", "payment", "profiles", "setup", "connections", "shops", "orders"],
      async () => (await import("./activity-page.tsx")).ActivityPage,
    ),
  },
];
