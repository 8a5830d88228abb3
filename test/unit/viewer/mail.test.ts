/** The mail that an invoice goes out with: what it says, and to whom it is safe to show. */
import { describe, expect, test } from "vitest";
import type { InvoiceView } from "../../../src/domain/invoice/invoice-view.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { invoiceMail } from "../../../src/viewer/mail/invoice-mail.ts";
import { mailContent, mailText } from "../../../src/viewer/mail/mail-content.ts";
import { mailHtml } from "../../../src/viewer/mail/mail-html.tsx";
import {
  disbursed,
  full,
  MARKUP,
  refund,
  replacement,
  substitution,
  ticket,
} from "../../support/builders/issued-samples.ts";

type Language = "es" | "en";

function contentOf(view: InvoiceView, language: Language = "es", hasReplyTo = true) {
  return mailContent(view, { language, hasReplyTo });
}

const rowsOf = (view: InvoiceView, language?: Language) =>
  contentOf(view, language).rows.map(({ label, value }) => `${label}: ${value}`);

function withTerms(view: InvoiceView, change: Partial<InvoiceView["document"]["request"]>): InvoiceView {
  const { document } = view;
  return { ...view, document: { ...document, request: { ...document.request, ...change } } };
}

describe("an invoice", () => {
  test("has the subject to the letter", () => {
    const view = full();
    expect(contentOf(view).subject).toBe(`Factura ${view.fullNumber} de Loza y Esparto, S.L.`);
    expect(contentOf(view, "en").subject).toBe(`Invoice ${view.fullNumber} from Loza y Esparto, S.L.`);
  });

  test("says issuer, number, date, total to pay and due date", () => {
    const view = withTerms(full(), { dueDate: civilDate("2026-12-27") });
    const text = mailText(contentOf(view));
    const [issuer, attached] = text.split("\n\n");
    expect([issuer, attached]).toEqual(["Loza y Esparto, S.L.", "Adjuntamos la factura."]);
    expect(text).toContain(`Número: ${view.fullNumber}\nFecha: `);
    expect(rowsOf(view).slice(-2)[0]).toMatch(/^Total a pagar: [\d.]+,\d\d\u00a0€$/);
    expect(rowsOf(view).at(-1)).toBe("Vencimiento: 27/12/2026");
    expect(rowsOf(view, "en").at(-1)).toBe("Due date: 27 Dec 2026");
  });

  test("that was paid asks for no money", () => {
    const view = withTerms(full(), { payment: { paidOn: civilDate("2026-11-25") } });
    expect(rowsOf(view).slice(2)).toEqual([expect.stringMatching(/^Total: /), "Pagada el: 25/11/2026"]);
  });

  test("with disbursements asks for what is payable", () => {
    const view = disbursed();
    expect(rowsOf(view).filter((row) => row.startsWith("Total"))).toEqual([
      expect.stringMatching(/^Total a pagar: /),
    ]);
  });

  test("of an order that was paid in part asks for the rest", () => {
    const { document, ...view } = full();
    const collected = { paid: decimal("10"), payable: decimal("30.50") };
    expect(rowsOf({ ...view, document: { ...document, collected } })).toContain(
      "Total a pagar: 20,50\u00a0€",
    );
  });

  test("says whether replies reach its issuer", () => {
    expect(contentOf(full()).replies).toBe("Loza y Esparto, S.L. recibe las respuestas a este mensaje.");
    expect(contentOf(full(), "es", false).replies).toContain("no le llegan");
  });
});

describe("a correction says what it corrects", () => {
  test("a refund, and what is given back", () => {
    const view = refund();
    const [statement] = contentOf(view).statements;
    expect(statement).toMatch(/^Rectifica la factura API-.*, por diferencias$/);
    expect(contentOf(view, "en").statements[0]).toMatch(/^Corrects invoice API-.*, by difference$/);
    expect(rowsOf(view).at(-1)).toMatch(/^Total a devolver: \d/);
    expect(contentOf(view).title).toBe("Factura rectificativa");
    expect(contentOf(view, "en").title).toBe("Corrective invoice");
  });

  test("a substitution, without asking for the whole again", () => {
    expect(contentOf(substitution()).statements[0]).toMatch(/por sustitución$/);
    expect(rowsOf(substitution()).at(-1)).toMatch(/^Total: /);
  });

  test("a full invoice names the ticket that it replaces", () => {
    expect(contentOf(replacement()).statements[0]).toMatch(/^Factura en sustitución de la factura simpl/);
  });

  test("a full invoice asks for money only if something says that it is still owed", () => {
    // The ticket in its place was paid at the till, as far as anybody knows.
    expect(rowsOf(replacement()).at(-1)).toMatch(/^Total: 27,35/);
    const owed = withTerms(replacement(), { dueDate: civilDate("2026-12-27") });
    expect(rowsOf(owed).slice(-2)).toEqual([
      expect.stringMatching(/^Total a pagar: 27,35/),
      "Vencimiento: 27/12/2026",
    ]);
    const { document, ...view } = replacement();
    const collected = { paid: decimal("27.35"), payable: decimal("27.35") };
    expect(rowsOf({ ...view, document: { ...document, collected } }).at(-1)).toMatch(/^Total a pagar: 0,00/);
  });
});

describe("the HTML", () => {
  test.each(["es", "en"] as const)("has no image, link, script or style of a head (%s)", (language) => {
    const html = mailHtml(contentOf(refund(), language));
    expect(html).toMatch(new RegExp(`^<!DOCTYPE html><html lang="${language}">`));
    expect(html).not.toMatch(/<img|<a |<script|<style|<link|https?:|url\(/i);
  });

  test("says the same as the text", () => {
    const content = contentOf(refund());
    const html = mailHtml(content);
    for (const { label, value } of content.rows) {
      expect(html).toContain(label);
      expect(html).toContain(value);
    }
    for (const statement of content.statements) expect(html).toContain(statement);
  });

  test("escapes the words of others", () => {
    const { document, ...view } = full();
    const html = mailHtml(
      contentOf({ ...view, document: { ...document, issuer: { ...document.issuer, name: MARKUP } } }),
    );
    expect(html).not.toContain("<script");
    expect(html).toContain("&lt;script&gt;");
  });
});

test("the files have the names that they have when they are downloaded", async () => {
  const view = full();
  const made: string[] = [];
  const mail = await invoiceMail(
    view,
    { to: "ana@cliente.es", language: "en", formats: ["pdf", "ubl", "facturae"], messageId: "de1" },
    {
      pdf: async (_, { language }) => {
        made.push(language);
        return new Uint8Array([1]);
      },
      facturae: async () => ({ bytes: new Uint8Array([2]), signature: "xades-epes" }),
    },
  );
  expect(made).toEqual(["en"]);
  expect(mail.attachments?.map(({ filename, type }) => `${filename} ${type}`)).toEqual([
    `${view.fullNumber}.pdf application/pdf`,
    `${view.fullNumber}.ubl.xml application/xml`,
    `${view.fullNumber}.facturae.xsig application/xml`,
  ]);
  const ubl = new TextDecoder().decode(mail.attachments?.[1]?.content);
  expect(ubl).toContain(view.fullNumber);
  expect(mail).toMatchObject({ fromName: "Loza y Esparto, S.L.", messageId: "de1" });
});

test("a ticket has no due date and a total to pay", () => {
  expect(rowsOf(ticket()).at(-1)).toMatch(/^Total a pagar: /);
});
