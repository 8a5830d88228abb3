/** Mails that report what happened to a login or a company: the console and cron send them. */
import type { Language } from "./language.ts";

export interface MailFacts {
  readonly to: string;
  readonly product: string;
  readonly language: Language;
}

const WHAT_NOW = {
  es:
    "Si has sido tú, no hagas nada. Si no, abre la consola, elige «He olvidado la contraseña» y sigue el mensaje " +
    "que te enviaremos: al elegir otra se cierran todas las sesiones y dejan de valer las llaves de acceso.",
  en:
    "If it was you, do nothing. If not, open the console, choose “I forgot my password” and follow the message " +
    "that we will send: choosing another one ends all sessions, and passkeys stop working.",
} as const;

/** Nobody came in, so that the sessions may stay. */
const CHANGE_PASSWORD = {
  es:
    "Si has sido tú, espera y escribe el código que muestra la aplicación en ese momento, o uno de recuperación. Si " +
    "no, nadie ha entrado, pero cambia la contraseña en la consola, en Seguridad.",
  en:
    "If it was you, wait and type the code that the app shows at that moment, or a recovery code. If not, nobody " +
    "came in, but change your password in the console, under Security.",
} as const;

/** The change was made by another owner: a new password would not undo it. */
const WHOM_TO_ASK = {
  es:
    "Lo ha decidido otro titular, o se ha resuelto quién tiene el NIF. Si no lo esperabas, habla con los demás " +
    "titulares o escríbenos.",
  en:
    "Another owner has decided it, or it was settled whose the NIF is. If you did not expect it, ask the other " +
    "owners, or write to us.",
} as const;

/** The next step of a claim to a company. */
const CLAIM_NEXT = {
  company_contested: {
    es:
      "Sigue facturando mientras lo resolvemos, 72 horas como máximo; hasta entonces no hay claves, titulares, " +
      "exportaciones ni representaciones nuevas. Escríbenos cuanto antes con lo que acredite que el NIF es de la " +
      "empresa. La consola dice cuál es.",
    en:
      "It goes on issuing invoices while we settle it, 72 hours at most; until then there are no new keys, owners, " +
      "exports or representations. Write to us as soon as you can with what proves that the NIF is the company's. " +
      "The console says which one it is.",
  },
  claim_granted: {
    es:
      "La tienes en la consola, con sus números y su cadena de registros; quienes la tenían ya no entran, y sus " +
      "claves no valen. Abre claves nuevas y firma la representación: hasta entonces no salen registros a la AEAT.",
    en:
      "It is in your console, with its numbers and its chain of records; those who had it cannot enter any more, and " +
      "their keys do not work. Open new keys and sign the representation: until then no records go to the AEAT.",
  },
  claim_rejected: {
    es: "La empresa sigue siendo de quien era. Puedes reclamarla otra vez con otro documento, o escribirnos.",
    en: "The company stays whose it was. You can claim it again with another document, or write to us.",
  },
} as const;

const NOTICE_WORDS = {
  signed_in_new_device: {
    es: ["Nueva entrada en tu cuenta", "Se ha entrado en tu cuenta desde un navegador nuevo"],
    en: ["New sign-in to your account", "Your account was signed in to from a new browser"],
  },
  passkey_added: {
    es: ["Llave de acceso añadida", "Se ha añadido una llave de acceso a tu cuenta"],
    en: ["Passkey added", "A passkey was added to your account"],
  },
  passkey_removed: {
    es: ["Llave de acceso quitada", "Se ha quitado una llave de acceso de tu cuenta"],
    en: ["Passkey removed", "A passkey was removed from your account"],
  },
  password_changed: {
    es: [
      "Contraseña cambiada",
      "Se ha cambiado la contraseña de tu cuenta; se han cerrado las demás sesiones",
    ],
    en: ["Password changed", "The password of your account was changed; the other sessions have ended"],
  },
  password_recovered: {
    es: [
      "Contraseña nueva por correo",
      "Se ha elegido una contraseña nueva con un enlace enviado a este correo; se han cerrado todas las " +
        "sesiones y quitado las llaves de acceso",
    ],
    en: [
      "New password by mail",
      "A new password was chosen by a link that was sent to this e-mail; all sessions have ended and the " +
        "passkeys are removed",
    ],
  },
  many_failed_sign_ins: {
    es: [
      "Muchos intentos de entrar",
      "Alguien prueba contraseñas en tu cuenta desde muchos sitios. Mientras siga, desde un navegador en el que " +
        "no hayas entrado antes hay que esperar entre un intento y otro",
    ],
    en: [
      "Many attempts to sign in",
      "Somebody is trying passwords at your account from many places. While it goes on, a browser in which you " +
        "have not signed in before has to wait between two attempts",
    ],
  },
  second_factor_on: {
    es: [
      "Verificación en dos pasos activada",
      "Desde ahora, además de la contraseña, tu cuenta pide un código; se han cerrado las demás sesiones",
    ],
    en: [
      "Two-step verification on",
      "From now on your account asks for a code besides the password; the other sessions have ended",
    ],
  },
  second_factor_off: {
    es: ["Verificación en dos pasos desactivada", "Tu cuenta ya no pide un código además de la contraseña"],
    en: ["Two-step verification off", "Your account no longer asks for a code besides the password"],
  },
  recovery_code_used: {
    es: [
      "Código de recuperación usado",
      "Se ha usado en tu cuenta uno de tus códigos de recuperación; ya no vale otra vez",
    ],
    en: ["Recovery code used", "One of your recovery codes was used at your account; it does not work again"],
  },
  many_wrong_codes: {
    es: [
      "Códigos equivocados",
      "Alguien ha escrito bien tu contraseña, o ha abierto un enlace enviado a este correo, y después cinco " +
        "códigos equivocados. Durante un cuarto de hora no se prueba ninguno más",
    ],
    en: [
      "Wrong codes",
      "Somebody typed your password correctly, or opened a link that was sent to this e-mail, and then five " +
        "wrong codes. For a quarter of an hour no other one is tried",
    ],
  },
  ownership_received: {
    es: ["Ahora eres titular", "Desde ahora eres titular de una empresa"],
    en: ["You are an owner now", "From now on you are an owner of a company"],
  },
  ownership_lost: {
    es: ["Ya no eres titular", "Ya no eres titular de una empresa"],
    en: ["You are no owner any more", "You are no longer an owner of a company"],
  },
  company_contested: {
    es: [
      "Otra persona reclama una empresa tuya",
      "Otra persona acredita ser una empresa de la que eres titular",
    ],
    en: [
      "Somebody claims a company of yours",
      "Somebody else proves to be a company of which you are an owner",
    ],
  },
  claim_granted: {
    es: ["La empresa es tuya", "Hemos resuelto tu reclamación: eres titular de la empresa"],
    en: ["The company is yours", "We have settled your claim: you are the owner of the company"],
  },
  claim_rejected: {
    es: ["Reclamación no admitida", "Hemos resuelto tu reclamación: lo que enviaste no acredita el NIF"],
    en: ["Claim not granted", "We have settled your claim: what you sent does not prove the NIF"],
  },
  login_deleted: {
    es: ["Acceso borrado", "Se ha borrado tu acceso; las empresas y sus facturas siguen donde estaban"],
    en: ["Access deleted", "Your access was deleted; the companies and their invoices are where they were"],
  },
} as const satisfies Record<string, Readonly<Record<Language, readonly [string, string]>>>;

export type NoticeKind = keyof typeof NOTICE_WORDS;

/** The next step of notices for which the advice about an intruder is wrong. */
const WHAT_NEXT: Partial<Record<NoticeKind, Readonly<Record<Language, string>> | "nothing">> = {
  ownership_lost: WHOM_TO_ASK,
  many_wrong_codes: CHANGE_PASSWORD,
  ...CLAIM_NEXT,
  login_deleted: "nothing",
};

export function noticeTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

export function isNoticeKind(event: string): event is NoticeKind {
  return Object.hasOwn(NOTICE_WORDS, event);
}

/** Reports what happened and has no link: a reader of a stolen mail gains no access. */
export function noticeMail(
  kind: NoticeKind,
  { device, at }: { readonly device: string | undefined; readonly at: string },
  { to, product, language }: MailFacts,
) {
  const [subject, said] = NOTICE_WORDS[kind][language];
  const where = device === undefined ? at : `${at}, ${device}`;
  const next = WHAT_NEXT[kind] ?? WHAT_NOW;
  const text = next === "nothing" ? `${said} (${where}).\n` : `${said} (${where}).\n\n${next[language]}\n`;
  return { to, subject: `${product}: ${subject}`, text };
}
