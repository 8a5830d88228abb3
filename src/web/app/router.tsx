import { createBrowserRouter, type RouteObject } from "react-router";
import { invoicesPages } from "../pages/invoices/routes.ts";
import { NotFoundPage, NowherePage } from "../pages/not-found.tsx";
import { ordersPages } from "../pages/orders/routes.ts";
import { declarationPage, settingsPages } from "../pages/settings/routes.ts";
import { setupPages } from "../pages/setup/routes.ts";
import { FailedPage } from "./failed-page.tsx";
import { HomePage } from "./home-page.tsx";
import { page } from "./page.tsx";
import { Root } from "./root.tsx";

/** Each page is loaded when it is first opened. */
const COMPANY_PAGES: RouteObject[] = [...invoicesPages, ...ordersPages, ...settingsPages];

const PAGES: RouteObject[] = [
  { index: true, Component: HomePage },
  {
    path: "entrar",
    lazy: page(["signIn"], async () => (await import("../pages/sign-in/sign-in.tsx")).SignInPage),
  },
  {
    path: "crear-cuenta",
    lazy: page(["signIn"], async () => (await import("../pages/sign-in/sign-up.tsx")).SignUpPage),
  },
  {
    path: "contrasena",
    lazy: page(["signIn"], async () => (await import("../pages/sign-in/password.tsx")).PasswordPage),
  },
  {
    path: "invitacion",
    lazy: page(["signIn"], async () => (await import("../pages/sign-in/invitation.tsx")).InvitationPage),
  },
  {
    path: "seguridad",
    lazy: page(
      ["signIn", "security"],
      async () => (await import("../pages/security/security.tsx")).SecurityPage,
    ),
  },
  {
    path: "correo",
    lazy: page(
      ["signIn", "security"],
      async () => (await import("../pages/security/email-link.tsx")).ConfirmEmailPage,
    ),
  },
  {
    path: "no-he-sido-yo",
    lazy: page(
      ["signIn", "security"],
      async () => (await import("../pages/security/email-link.tsx")).RestoreEmailPage,
    ),
  },
  {
    path: "empresa-nueva",
    lazy: page(
      ["signIn", "company"],
      async () => (await import("../pages/sign-in/new-company.tsx")).NewCompanyPage,
    ),
  },
  declarationPage,
  { path: "e/:account/conectar", children: setupPages },
  {
    path: "e/:account",
    lazy: page(["shell"], async () => (await import("./shell.tsx")).Shell),
    children: [
      { ErrorBoundary: FailedPage, children: [...COMPANY_PAGES, { path: "*", Component: NotFoundPage }] },
    ],
  },
  { path: "*", Component: NowherePage },
];

export const router = createBrowserRouter([
  {
    Component: Root,
    HydrateFallback: () => null,
    children: [{ ErrorBoundary: FailedPage, children: PAGES }],
  },
]);
