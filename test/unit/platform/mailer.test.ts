import { describe, expect, test } from "vitest";
import { sha256OfBytes } from "../../../src/domain/shared/hash.ts";
import { type Mail, mailerFor, mailFaultOf, type ServiceMail } from "../../../src/platform/mailer.ts";

const PDF = new Uint8Array([37, 80, 68, 70]);
const MAIL: Mail = {
  to: "ana@cliente.es",
  subject: "Factura API-1-2026-000001 de Norte SL",
  text: "Adjuntamos la factura.",
  html: "<p>Adjuntamos la factura.</p>",
  fromName: "Norte SL",
  replyTo: "facturas@norte.es",
  messageId: "de000000000000000001",
  attachments: [{ content: PDF, filename: "API-1-2026-000001.pdf", type: "application/pdf" }],
};

async function sent(mail: Mail): Promise<ServiceMail> {
  const taken: ServiceMail[] = [];
  const binding = { send: async (message: ServiceMail) => taken.push(message) };
  const settings = {
    transport: "binding",
    from: "avisos@cuadre.es",
    print: () => {},
    sha256: sha256OfBytes,
  } as const;
  await mailerFor({ ...settings, binding }).send(mail);
  const [message] = taken;
  if (!message) throw new Error("nothing was sent");
  return message;
}

async function printed(mail: Mail): Promise<object> {
  const lines: object[] = [];
  const settings = { transport: "log", from: "avisos@cuadre.es", sha256: sha256OfBytes } as const;
  await mailerFor({ ...settings, print: (line) => lines.push(line) }).send(mail);
  return lines[0] ?? {};
}

test("a mail has the shape that the mail service takes", async () => {
  const { attachments, ...message } = await sent(MAIL);
  expect(message).toEqual({
    from: { email: "avisos@cuadre.es", name: "Norte SL" },
    ...{ to: MAIL.to, subject: MAIL.subject, text: MAIL.text, html: MAIL.html, replyTo: MAIL.replyTo },
    headers: { "X-Entity-Ref-ID": MAIL.messageId },
  });
  expect(attachments).toMatchObject([
    { filename: "API-1-2026-000001.pdf", type: "application/pdf", disposition: "attachment" },
  ]);
  expect(new Uint8Array(attachments?.[0]?.content ?? new ArrayBuffer(0))).toEqual(PDF);
});

test("an attachment is its own bytes, also where they are a part of a larger buffer", async () => {
  const part = new Uint8Array([0, ...PDF, 0]).subarray(1, 5);
  const { attachments } = await sent({ ...MAIL, attachments: [{ content: part, filename: "a", type: "b" }] });
  expect(new Uint8Array(attachments?.[0]?.content ?? new ArrayBuffer(0))).toEqual(PDF);
});

test("a mail to an owner has no more than before", async () => {
  const { to, subject, text } = MAIL;
  expect(await sent({ to, subject, text })).toEqual({ from: "avisos@cuadre.es", to, subject, text });
  expect(await printed({ to, subject, text })).toEqual({ level: "mail", to, subject, text });
});

test("a printed mail names each attachment by name, type, size and hash", async () => {
  expect(await printed(MAIL)).toMatchObject({
    from: "Norte SL <avisos@cuadre.es>",
    attachments: [
      { name: "API-1-2026-000001.pdf", type: "application/pdf", size: 4, sha256: sha256OfBytes(PDF) },
    ],
  });
});

test("where mails are printed, an address under .invalid is one that the service refuses", async () => {
  const refused = await printed({ ...MAIL, to: "ana@cliente.invalid" }).catch((error: unknown) => error);
  expect(mailFaultOf(refused)).toEqual({ fault: "address_refused", code: "E_RECIPIENT_NOT_ALLOWED" });
  expect((await sent({ ...MAIL, to: "ana@cliente.invalid" })).to).toBe("ana@cliente.invalid");
});

test.each([
  ["Norte\r\nBcc: otro@x.es", "Norte Bcc otro x.es"],
  ['"Norte" <jefe@norte.es>', "Norte jefe norte.es"],
])("the name %j cannot be read as a header or an address", async (fromName, name) => {
  expect((await sent({ ...MAIL, fromName })).from).toEqual({ email: "avisos@cuadre.es", name });
});

describe("a failure of the mail service", () => {
  const coded = (code: string) => Object.assign(new Error("to ana@cliente.es"), { code });
  test.each([
    [coded("E_RECIPIENT_SUPPRESSED"), "address_refused"],
    [coded("E_RECIPIENT_NOT_ALLOWED"), "address_refused"],
    [coded("E_CONTENT_TOO_LARGE"), "too_large"],
    [coded("E_RATE_LIMIT_EXCEEDED"), "unavailable"],
    [coded("E_DAILY_LIMIT_EXCEEDED"), "unavailable"],
    [coded("E_DELIVERY_FAILED"), "unavailable"],
    [coded("E_INTERNAL_SERVER_ERROR"), "unavailable"],
    [coded("E_SENDER_NOT_VERIFIED"), "misconfigured"],
    [coded("E_HEADER_NOT_ALLOWED"), "misconfigured"],
    [coded("ana@cliente.es"), "unavailable"],
    [new Error("connection lost"), "unavailable"],
    [undefined, "unavailable"],
  ])("%s is %s", (error, fault) => {
    expect(mailFaultOf(error).fault).toBe(fault);
    expect(JSON.stringify(mailFaultOf(error))).not.toContain("@");
  });
});
