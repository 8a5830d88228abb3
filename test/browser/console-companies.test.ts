/** Ownership of a company in the console: proof of its NIF, a claim, and ownership offered and accepted. */
import type { Browser, Page } from "playwright-core";
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
  signUp,
} from "../support/browser/console.ts";
import { ownProduct } from "../support/browser/product.ts";
import { aNif } from "../support/builders/requests.ts";

const { demo, mailFile } = ownProduct();
const PASSWORD = "cuatro lunas de marzo";
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(() => browser?.close());

const PDF = {
  name: "representacion.pdf",
  mimeType: "application/pdf",
  buffer: Buffer.from("%PDF-1.7\n%%EOF\n"),
};

/** A new person with a company under the NIF, at the page of its verification. */
async function atVerification(
  name: string,
  nif: string,
  viewport: { width: number; height: number } = SCREEN,
): Promise<Page> {
  const { page } = await newVisitor(browser, demo, viewport);
  await signUp(page, mailFile, { name, email: `${name.toLowerCase()}@empresas.example`, password: PASSWORD });
  await page.getByLabel("Nombre o razón social").fill(`Casa ${name} SL`);
  await page.getByLabel("NIF").fill(nif);
  await page.getByLabel("Domicilio fiscal").fill("Calle Mayor 1");
  await page.getByLabel("Código postal").fill("28013");
  await page.getByLabel("Localidad").fill("Madrid");
  await page.getByLabel(/no lleva los libros de IVA/).check();
  await page.getByRole("button", { name: "Crear la empresa" }).click();
  await page.waitForURL(/\/e\/ac\w+\/conectar$/);
  await page.goto(`/e/${accountIn(page)}/empresa/verificacion`);
  await page.getByText("Sin verificar").first().waitFor();
  return page;
}

async function askForText(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Pedir el texto" }).click();
  await page.getByText(/Código:/).waitFor();
}

async function sendDocument(page: Page): Promise<void> {
  await page.locator("input[type=file]").setInputFiles(PDF);
  await page.getByRole("button", { name: "Enviar", exact: true }).click();
}

test("a signed document is sent and waits to be read; without one the page says so", async () => {
  const page = await atVerification("Berta", aNif(71_000_001), PHONE);
  expect(await clumsyOn(page)).toEqual([]);
  await askForText(page);
  await page.getByRole("button", { name: "Enviar", exact: true }).click();
  await page.getByText("Elige antes el documento firmado.").waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await page.locator("input[type=file]").setInputFiles(PDF);
  await page.getByText("Elige antes el documento firmado.").waitFor({ state: "detached" });
  await sendDocument(page);
  await page.getByText("En revisión").first().waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await page.goto(`/e/${accountIn(page)}/actividad`);
  const line = page.getByRole("listitem").filter({ hasText: "Acreditación: Documento firmado" });
  await line.filter({ hasText: /Sin verificar\s*→\s*En revisión/ }).waitFor();
});

test("a NIF that a verified company has is claimed with the same document", async () => {
  const owner = await openConsole(browser, demo);
  const { data } = await (await owner.page.request.get("/api/me")).json();
  const held = data.accounts.find(
    ({ verification }: { verification: string }) => verification === "verified",
  );
  const page = await atVerification("Claudia", held.nif);
  await askForText(page);
  await sendDocument(page);
  await page.getByRole("button", { name: "Reclamar la empresa verificada" }).waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Reclamar la empresa verificada" }).click();
  await page.getByText(/Reclamaste esta empresa el/).waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await owner.page.reload();
  const after = await (await owner.page.request.get("/api/me")).json();
  expect(after.data.accounts.find(({ id }: { id: string }) => id === held.id).verification).toBe("verified");
});

test("ownership is offered by an invitation, and taken by the person", async () => {
  const owner = await atVerification("Daniela", aNif(71_000_002));
  const account = accountIn(owner);
  const email = "elisa@empresas.example";
  const { page } = await newVisitor(browser, demo, PHONE);
  await signUp(page, mailFile, { name: "Elisa", email, password: PASSWORD });
  await owner.goto(`/e/${account}/empresa/personas`);
  await owner.getByText("1 de 50, con las invitaciones").waitFor();
  await owner.getByRole("button", { name: "Invitar" }).click();
  await owner.getByLabel("Correo electrónico").fill(email);
  await owner.getByLabel("Titular").check();
  await owner.getByRole("button", { name: "Enviar la invitación" }).click();
  await owner.getByText(`Invitación enviada a ${email}`).waitFor();
  expect(await clumsyOn(owner)).toEqual([]);
  const link = await linkInMail(mailFile, email, { like: "/invitacion" });
  await page.goto(link);
  expect(await clumsyOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Aceptar la invitación" }).click();
  await page.waitForURL(`**/e/${account}`);
  await page.goto(`/e/${account}/empresa/personas`);
  await page.getByRole("heading", { name: "Te ofrecen la titularidad" }).waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Aceptar la titularidad" }).click();
  await page.getByRole("heading", { name: "Te ofrecen la titularidad" }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Invitar" }).waitFor();
  await owner.reload();
  await owner.getByRole("cell", { name: "Titular", exact: true }).nth(1).waitFor();
});
