/** Signing up, in and out in the console, with keyboard and on a phone. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../support/browser/chromium.ts";
import {
  accountIn,
  clumsyOn,
  linkInMail,
  newVisitor,
  openConsole,
  PHONE,
  SCREEN,
  signIn,
  signUp,
} from "../support/browser/console.ts";
import { ownProduct } from "../support/browser/product.ts";

const { demo, mailFile } = ownProduct();
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(() => browser?.close());

const PASSWORD = "cuatro lunas de marzo";

test("a person signs up and opens a company; an error is shown next to its field", async () => {
  const { page } = await newVisitor(browser, demo, PHONE);
  const email = "ana@loza.example";
  await page.goto("/crear-cuenta");
  await page.getByLabel("Nombre y apellidos").fill("Ana Pérez");
  await page.getByLabel("Correo electrónico").fill(email);
  expect(await clumsyOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Crear cuenta" }).click();
  await page.getByText(`Hemos enviado un mensaje a ${email}`).waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await page.goto(await linkInMail(mailFile, email));
  await page.getByLabel("Contraseña nueva").fill("password12345");
  await page.getByRole("button", { name: "Guardar la contraseña" }).click();
  await page.getByText("Esa contraseña es fácil de adivinar").waitFor();
  await page.getByLabel("Contraseña nueva").fill(PASSWORD);
  expect(await clumsyOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Guardar la contraseña" }).click();
  await page.waitForURL("**/empresa-nueva");
  await page.getByLabel("Nombre o razón social").fill("Loza y Esparto SL");
  await page.getByLabel("NIF").fill("B12345678");
  await page.getByLabel("Domicilio fiscal").fill("Calle de los Alfareros 14");
  await page.getByLabel("Código postal").fill("48001");
  await page.getByLabel("Localidad").fill("Bilbao");
  await page.getByLabel(/no lleva los libros de IVA/).check();
  await page.getByLabel(/le corresponde la normativa común/).check();
  await page.getByRole("button", { name: "Crear la empresa" }).click();
  await page.getByText("La letra no corresponde a ese número.").waitFor();
  expect(await page.getByLabel("Localidad").inputValue()).toBe("Bilbao");
  expect(await clumsyOn(page)).toEqual([]);
  await page.getByLabel("NIF").fill("B12345674");
  await page.getByRole("button", { name: "Crear la empresa" }).click();
  await page.waitForURL(/\/e\/ac\w+\/conectar$/);
  expect(accountIn(page)).toMatch(/^ac/);
});

test("a forgotten password is changed by the link of the mail", async () => {
  const { page } = await newVisitor(browser, demo);
  const email = "olvido@loza.example";
  await signUp(page, mailFile, { name: "Olvido Ruiz", email, password: PASSWORD });
  await page.goto("/contrasena");
  await page.getByLabel("Correo electrónico").fill(email);
  await page.getByRole("button", { name: "Enviar el enlace" }).click();
  await page.getByText(`Si ${email} tiene cuenta`).waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await page.goto(await linkInMail(mailFile, email, { nth: 2 }));
  await page.getByLabel("Contraseña nueva").fill("siete gatos en la azotea");
  await page.getByRole("button", { name: "Guardar la contraseña" }).click();
  await page.getByText("Hemos cerrado las demás sesiones").waitFor();
  await page.goto("/entrar");
  await signIn(page, { email, password: PASSWORD });
  await page.getByText("El correo o la contraseña no son correctos").waitFor();
  await signIn(page, { email, password: "siete gatos en la azotea" });
  await page.waitForURL("**/empresa-nueva");
});

test("a session that ends leads back to where one was", async () => {
  const { page, context, account } = await openConsole(browser, demo);
  // A page that still reads would go to the sign-in by itself.
  await page.goto("about:blank");
  await context.clearCookies();
  await page.goto(`/e/${account}/actividad`);
  await page.waitForURL(/\/entrar\?volver=/);
  await page.getByText("La sesión ha caducado").waitFor();
  await signIn(page, demo.owner);
  await page.waitForURL(`**/e/${account}/actividad`);
});

test("the keyboard alone signs in and out", async () => {
  const { page } = await newVisitor(browser, demo, SCREEN);
  await page.goto("/entrar");
  await page.getByLabel("Correo electrónico").focus();
  await page.keyboard.type(demo.owner.email);
  await page.keyboard.press("Tab");
  await page.keyboard.type(demo.owner.password);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/e\/[^/]+$/);
  await page.getByRole("button", { name: "María Ferrer" }).focus();
  await page.keyboard.press("Enter");
  // The menu takes the focus when it is open, and only then are its items one's own to reach.
  await page.locator("[role=menu]:focus-within").waitFor();
  const signOut = page.locator("[role=menuitem]:focus", { hasText: /^Cerrar sesión$/ });
  for (let item = 0; item < 20 && (await signOut.count()) === 0; item += 1)
    await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/entrar");
});

test("who signs out sees the plain page, even where another request is refused first", async () => {
  const { page } = await newVisitor(browser, demo, SCREEN);
  await page.goto("/entrar");
  await signIn(page, demo.owner);
  await page.waitForURL(/\/e\/[^/]+$/);
  const pages: string[] = [];
  page.on("request", (request) => {
    if (request.isNavigationRequest()) pages.push(new URL(request.url()).search);
  });
  await page.route("**/api/auth/sign-out", async (route) => {
    const reply = await route.fetch();
    const refused = page.waitForResponse((response) => response.status() === 401);
    await page.getByRole("link", { name: "Actividad" }).click();
    await (await refused).finished();
    // The page has acted on the refusal when it has drawn twice.
    await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
    await route.fulfill({ response: reply });
  });
  await page.getByRole("button", { name: "María Ferrer" }).click();
  await page.getByRole("menuitem", { name: /^Cerrar sesión$/ }).click();
  await page.waitForURL(/\/entrar$/);
  expect(pages).toEqual([""]);
});

test("a passkey made in the console signs in", async () => {
  // A bare IP address has no passkeys.
  const named = { ...demo, console_url: demo.console_url.replace("127.0.0.1", "localhost") };
  const { page, context } = await openConsole(browser, named);
  const devtools = await context.newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  await page.goto("/seguridad");
  expect(await clumsyOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Añadir una llave de acceso" }).click();
  await page.getByText(/Creada el/).waitFor();
  await context.clearCookies();
  await page.goto("/entrar");
  await page.getByRole("button", { name: "Entrar con llave de acceso" }).click();
  await page.waitForURL(/\/e\/[^/]+$/);
});

test("sessions are closed, the address is changed and taken back, and the access ends", async () => {
  const { page } = await newVisitor(browser, demo, SCREEN);
  const other = await newVisitor(browser, demo, SCREEN);
  const [email, becomes] = ["sesiones@loza.example", "otra@loza.example"];
  await signUp(page, mailFile, { name: "Sesiones Ruiz", email, password: PASSWORD });
  await other.page.goto("/entrar");
  await signIn(other.page, { email, password: PASSWORD });
  await other.page.waitForURL("**/empresa-nueva");
  await page.goto("/seguridad");
  await page.getByRole("heading", { name: "Sesiones abiertas" }).waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Cerrar las demás" }).click();
  await page.getByRole("button", { name: "Cerrar las demás" }).waitFor({ state: "detached" });
  await other.page.goto("/seguridad");
  await other.page.waitForURL(/\/entrar/);

  await page.getByLabel("Correo nuevo").fill(becomes);
  await page.getByRole("button", { name: "Enviar el enlace" }).click();
  await page.getByText(`Hemos enviado un mensaje a ${becomes}`).waitFor();
  await page.goto(await linkInMail(mailFile, becomes, { like: "/correo?" }));
  await page.getByRole("button", { name: "Confirmar" }).click();
  await page.getByText(`Desde ahora entras con ${becomes}`).waitFor();
  await page.goto(await linkInMail(mailFile, email, { like: "/no-he-sido-yo?" }));
  expect(await clumsyOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Recuperar mi correo" }).click();
  await page.getByText("un enlace para elegir otra contraseña").waitFor();
  await page.goto(await linkInMail(mailFile, email, { like: "/contrasena?", nth: 2 }));
  await page.getByLabel("Contraseña nueva").fill(PASSWORD);
  await page.getByRole("button", { name: "Guardar la contraseña" }).click();
  await page.getByText("Hemos cerrado las demás sesiones").waitFor();
  await page.goto("/entrar");
  await signIn(page, { email, password: PASSWORD });
  await page.waitForURL("**/empresa-nueva");

  await page.goto("/seguridad");
  await page.getByLabel(`Escribe tu correo, ${email}`).fill(becomes);
  await page.getByRole("button", { name: "Borrar mi acceso" }).click();
  await page.getByText("Ese no es el correo de tu acceso").waitFor();
  await page.getByLabel(`Escribe tu correo, ${email}`).fill(email);
  await page.getByRole("button", { name: "Borrar mi acceso" }).click();
  await page.waitForURL("**/entrar");
});
