import type { Mail } from "../../../platform/mailer.ts";
import type { Language, MailFacts } from "../../../words/words.ts";

interface Words {
  readonly subject: (product: string) => string;
  readonly body: string;
}

const LINK_WORDS = {
  choose_password: {
    es: {
      subject: (product) => `Confirma tu correo en ${product}`,
      body:
        "Abre este enlace para confirmar tu correo y elegir una contraseña. Caduca en una hora. Si no has " +
        "creado tú la cuenta, no hagas nada: sin este enlace no existe.",
    },
    en: {
      subject: (product) => `Confirm your e-mail at ${product}`,
      body:
        "Open this link to confirm your e-mail and choose a password. It expires in one hour. If it was not " +
        "you who created the account, do nothing: without this link there is none.",
    },
  },
  change_password: {
    es: {
      subject: (product) => `Cambiar tu contraseña de ${product}`,
      body:
        "Abre este enlace para elegir una contraseña nueva. Al elegirla se cierran todas las sesiones y dejan " +
        "de valer las llaves de acceso. Caduca en una hora. Si no lo has pedido tú, no hagas nada.",
    },
    en: {
      subject: (product) => `Change your ${product} password`,
      body:
        "Open this link to choose a new password. Choosing it ends all sessions, and passkeys stop working. " +
        "It expires in one hour. If it was not you, do nothing.",
    },
  },
  known: {
    es: {
      subject: (product) => `Ya tienes una cuenta en ${product}`,
      body:
        "Alguien ha querido crear una cuenta con este correo, y ya hay una. Entra en ella con este enlace; si " +
        "no recuerdas la contraseña, pide ahí otra. Si su correo se ha cambiado hace poco, lo dice otro mensaje " +
        "nuestro. Si no has sido tú, no hagas nada.",
    },
    en: {
      subject: (product) => `You have an account at ${product}`,
      body:
        "Somebody wanted to create an account with this e-mail, and there is one. Sign in to it by this link; " +
        "if you do not remember the password, ask for another there. If its e-mail was changed lately, another " +
        "message of ours says so. If it was not you, do nothing.",
    },
  },
  new_email: {
    es: {
      subject: (product) => `Confirma tu nuevo correo en ${product}`,
      body:
        "Abre este enlace para entrar desde ahora con este correo. Caduca en una hora. Si no lo has pedido tú, " +
        "no hagas nada.",
    },
    en: {
      subject: (product) => `Confirm your new e-mail at ${product}`,
      body: "Open this link to sign in with this e-mail from now on. It expires in one hour. If it was not you, do nothing.",
    },
  },
  old_email: {
    es: {
      subject: (product) => `Se ha cambiado tu correo en ${product}`,
      body:
        "Desde ahora se entra en tu cuenta con otro correo. Si no has sido tú, abre este enlace antes de 72 " +
        "horas: vuelve este correo, se cierran todas las sesiones y dejan de valer la contraseña y las llaves " +
        "de acceso; después podrás elegir otra contraseña.",
    },
    en: {
      subject: (product) => `Your e-mail at ${product} was changed`,
      body:
        "From now on your account is signed in to with another e-mail. If it was not you, open this link " +
        "within 72 hours: this e-mail comes back, all sessions end, and the password and passkeys stop " +
        "working; then you can choose another password.",
    },
  },
} as const satisfies Record<string, Readonly<Record<Language, Words>>>;

export type LinkMailKind = keyof typeof LINK_WORDS;

/** Address of a console page, with the token that proves the recipient. */
export function pageOf(consoleUrl: string, page: string, token?: string): string {
  const address = `${new URL(consoleUrl).origin}/${page}`;
  return token === undefined ? address : `${address}?token=${token}`;
}

/** A mail with a link to a console page. */
export function linkMail(kind: LinkMailKind, url: string, { to, product, language }: MailFacts): Mail {
  const { subject, body }: Words = LINK_WORDS[kind][language];
  return { to, subject: subject(product), text: `${body}\n\n${url}\n` };
}
