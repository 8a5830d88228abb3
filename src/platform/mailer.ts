export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** The name next to our own address. */
  readonly fromName?: string;
  readonly replyTo?: string;
  /** Equal for every attempt of one mail, without a domain. */
  readonly messageId?: string;
  readonly attachments?: readonly MailAttachment[];
}

export interface MailAttachment {
  readonly content: Uint8Array<ArrayBuffer>;
  readonly filename: string;
  /** The media type. */
  readonly type: string;
}

/** Takes a message to be sent; it is not known whether it arrives. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}

/** A message as Cloudflare Email Service takes it. */
export interface ServiceMail {
  readonly from: string | { readonly email: string; readonly name: string };
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly replyTo?: string;
  readonly headers?: Record<string, string>;
  readonly attachments?: {
    readonly content: ArrayBuffer;
    readonly filename: string;
    readonly type: string;
    readonly disposition: "attachment";
  }[];
}

export interface MailSettings {
  readonly transport: "log" | "binding";
  readonly from: string;
  readonly binding?: { send(mail: ServiceMail): Promise<unknown> };
  /** Prints the mail for a developer instead of sending it. */
  readonly print: (line: object) => void;
  /** SHA-256 of bytes, in hex. */
  readonly sha256: (bytes: Uint8Array) => string;
}

/** The configured mailer; a missing binding fails the first mail. */
export function mailerFor({ transport, from, binding, print, sha256 }: MailSettings): Mailer {
  return {
    async send(given) {
      // Subject and name contain people's names: control characters that could start a new header line are
      // removed.
      const mail = { ...given, subject: oneLine(given.subject) };
      if (transport === "log") {
        if (mail.to.endsWith(NEVER_TAKEN)) throw new RefusedHere();
        print({ level: "mail", ...printed(mail, { from, sha256 }) });
      } else if (binding) await binding.send(serviceMail(mail, from));
      else throw new Error("MAIL_TRANSPORT=binding needs the binding MAIL");
    },
  };
}

/**
 * A domain that nobody has (RFC 2606). Where mails are printed, one to it fails as a refused address does.
 */
const NEVER_TAKEN = ".invalid";

class RefusedHere extends Error {
  readonly code = "E_RECIPIENT_NOT_ALLOWED";
  constructor() {
    super("no mail is taken for .invalid");
  }
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}

/** Without marks that a mail program could take for an address of its own. */
function displayName(name: string): string {
  return oneLine(name.replace(/[<>"@,;:\\]+/g, " ")).replace(/ {2,}/g, " ");
}

function printed(mail: Mail, { from, sha256 }: Pick<MailSettings, "from" | "sha256">): object {
  const { to, subject, text, html, fromName, replyTo, messageId, attachments } = mail;
  return {
    ...{ to, subject, text },
    ...(html === undefined ? {} : { html }),
    ...(fromName === undefined ? {} : { from: `${displayName(fromName)} <${from}>` }),
    ...(replyTo === undefined ? {} : { reply_to: replyTo }),
    ...(messageId === undefined ? {} : { message_id: messageId }),
    ...(attachments === undefined
      ? {}
      : {
          attachments: attachments.map(({ content, filename, type }) => ({
            ...{ name: filename, type, size: content.length, sha256: sha256(content) },
          })),
        }),
  };
}

/**
 * The service sets Message-ID itself and refuses a mail that states one (E_HEADER_NOT_ALLOWED), so the id
 * travels in the header that mail programs know copies of a message by.
 */
function serviceMail(mail: Mail, from: string): ServiceMail {
  const { to, subject, text, html, fromName, replyTo, messageId, attachments } = mail;
  return {
    from: fromName === undefined ? from : { email: from, name: displayName(fromName) },
    ...{ to, subject, text },
    ...(html === undefined ? {} : { html }),
    ...(replyTo === undefined ? {} : { replyTo }),
    ...(messageId === undefined ? {} : { headers: { "X-Entity-Ref-ID": messageId } }),
    ...(attachments === undefined
      ? {}
      : {
          attachments: attachments.map(({ content, filename, type }) => ({
            content: content.buffer.slice(content.byteOffset, content.byteOffset + content.byteLength),
            ...({ filename, type, disposition: "attachment" } as const),
          })),
        }),
  };
}

/**
 * What a failure of the mail service says: about the address, about the mail, about us, or nothing. Its
 * message is not read, because it may repeat the address.
 */
export type MailFault = "address_refused" | "too_large" | "misconfigured" | "unavailable";

const FAULTS: Readonly<Record<string, MailFault>> = {
  E_RECIPIENT_SUPPRESSED: "address_refused",
  E_RECIPIENT_NOT_ALLOWED: "address_refused",
  E_CONTENT_TOO_LARGE: "too_large",
  E_RATE_LIMIT_EXCEEDED: "unavailable",
  E_DAILY_LIMIT_EXCEEDED: "unavailable",
  E_DELIVERY_FAILED: "unavailable",
  E_INTERNAL_SERVER_ERROR: "unavailable",
};

/** Any other code of the service is about the mail as we made it, or about our account there. */
export function mailFaultOf(error: unknown): { readonly fault: MailFault; readonly code?: string } {
  const code = codeOf(error);
  if (code === undefined) return { fault: "unavailable" };
  return { fault: FAULTS[code] ?? "misconfigured", code };
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const code: unknown = Reflect.get(error, "code");
  return typeof code === "string" && /^E_[A-Z_]{1,60}$/.test(code) ? code : undefined;
}
