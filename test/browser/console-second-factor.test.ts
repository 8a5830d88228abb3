/** Two-step verification in the console: set up, asked for at sign-in and in a recovery, switched off. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../support/browser/chromium.ts";
import {
  clumsyOn,
  linkInMail,
  newVisitor,
  PHONE,
  SCREEN,
  signIn,
  signUp,
} from "../support/browser/console.ts";
import { ownProduct } from "../support/browser/product.ts";
import { appWith } from "../support/worlds/authenticator-app.ts";

const { demo, mailFile } = ownProduct();
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(() => browser?.close());

const PASSWORD = "cuatro lunas de marzo";
const NEW_PASSWORD = "siete gatos en la azotea";
const CODE = "Código de 6 cifras";

test("a person sets up an app on a phone, signs in and recovers with codes, and switches it off", async () => {
  const { page } = await newVisitor(browser, demo, PHONE);
  const email = "dospasos@loza.example";
  await signUp(page, mailFile, { name: "Dora Pasos", email, password: PASSWORD });
  await page.goto("/seguridad");
  await page.getByRole("button", { name: "Activar la verificación en dos pasos" }).click();
  await page.getByRole("img", { name: "Código QR para la aplicación de autenticación" }).waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  const shown = await page.locator("section[aria-labelledby=two-step] code").textContent();
  const app = appWith((shown ?? "").replaceAll(" ", ""));
  await page.getByLabel(CODE).fill("12345");
  await page.getByRole("button", { name: "Activar", exact: true }).click();
  await page.getByText("El código no es correcto").waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await page.getByLabel(CODE).fill(app.code());
  await page.keyboard.press("Enter");
  await page.getByText("Guarda estos 10 códigos: cada uno vale una vez.").waitFor();
  const codes = await page.locator("section[aria-labelledby=two-step] li").allInnerTexts();
  expect(codes).toHaveLength(10);
  expect(await clumsyOn(page)).toEqual([]);
  await page.getByRole("link", { name: "Ir al resumen" }).click();
  await page.getByRole("dialog", { name: /¿Salir sin haberlos guardado\?/ }).waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Seguir aquí" }).click();
  await page.getByRole("button", { name: "Ya los he guardado" }).click();
  await page.getByText("Te quedan 10 códigos de recuperación.").waitFor();
  expect(await clumsyOn(page)).toEqual([]);

  const { page: other } = await newVisitor(browser, demo, SCREEN);
  await other.goto("/entrar");
  await signIn(other, { email, password: PASSWORD });
  await other.getByRole("heading", { name: "Verificación en dos pasos" }).waitFor();
  await other.locator("input:focus").waitFor();
  expect(await clumsyOn(other)).toEqual([]);
  await other.keyboard.type("12345");
  await other.keyboard.press("Enter");
  await other.getByText("El código no es correcto").waitFor();
  await other.getByLabel(CODE).fill(app.code(1));
  await other.keyboard.press("Enter");
  await other.waitForURL("**/empresa-nueva");

  const { page: third } = await newVisitor(browser, demo, PHONE);
  await third.goto("/contrasena");
  await third.getByLabel("Correo electrónico").fill(email);
  await third.getByRole("button", { name: "Enviar el enlace" }).click();
  await third.getByText(`Si ${email} tiene cuenta`).waitFor();
  await third.goto(await linkInMail(mailFile, email, { like: "/contrasena?", nth: 2 }));
  await third.getByLabel("Contraseña nueva").fill(NEW_PASSWORD);
  await third.getByRole("button", { name: "Guardar la contraseña" }).click();
  await third.getByRole("heading", { name: "Verificación en dos pasos" }).waitFor();
  expect(await clumsyOn(third)).toEqual([]);
  await third.getByLabel(CODE).fill(codes[0] ?? "");
  await third.getByRole("button", { name: "Guardar la contraseña" }).click();
  await third.getByText("Hemos cerrado las demás sesiones").waitFor();

  await third.goto("/entrar");
  await signIn(third, { email, password: NEW_PASSWORD });
  await third.getByLabel(CODE).fill(codes[1] ?? "");
  await third.keyboard.press("Enter");
  await third.waitForURL("**/empresa-nueva");
  await third.goto("/seguridad");
  await third.getByText("Te quedan 8 códigos de recuperación.").waitFor();
  await third.getByRole("button", { name: "Desactivar" }).click();
  await third.getByLabel(CODE).fill(codes[2] ?? "");
  await third.getByRole("button", { name: "Desactivar" }).click();
  await third.getByText("Verificación en dos pasos desactivada.", { exact: true }).waitFor();
  await third.getByRole("button", { name: "Activar la verificación en dos pasos" }).waitFor();
  expect(await clumsyOn(third)).toEqual([]);
});
