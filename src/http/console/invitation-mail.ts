import type { Mail } from "../../usecases/console/identity-ports.ts";
import type { Language } from "../language.ts";

export interface InvitationLink {
  readonly to: string;
  readonly url: string;
  readonly inviter: string;
  readonly legalName: string;
  readonly language: Language;
}

const WORDS = {
  es: {
    subject: (inviter: string, legalName: string) =>
      `${inviter} te invita a ver la facturación de ${legalName}`,
    body:
      "Abre este enlace, entra o crea tu cuenta y tendrás acceso. Caduca en siete días y solo vale " +
      "una vez.",
  },
  en: {
    subject: (inviter: string, legalName: string) =>
      `${inviter} invites you to the invoicing of ${legalName}`,
    body:
      "Open this link, sign in or create your account, and you have access. It expires in seven days and " +
      "works once.",
  },
} as const;

export function invitationMail({ to, url, inviter, legalName, language }: InvitationLink): Mail {
  const words = WORDS[language];
  return { to, subject: words.subject(inviter, legalName), text: `${words.body}\n\n${url}\n` };
}
