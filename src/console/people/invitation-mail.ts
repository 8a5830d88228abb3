import type { Mail } from "../../db/people/identity-ports.ts";
import { mailedName } from "../../domain/shared/typed-name.ts";
import type { Language } from "../../words/words.ts";

export interface InvitationLink {
  readonly to: string;
  readonly url: string;
  readonly inviter: string;
  readonly legalName: string;
  readonly language: Language;
}

/** Nothing that somebody typed is in the subject; in the text it stands as what it is, quoted and cut. */
const WORDS = {
  es: {
    subject: "Invitación a una empresa",
    lead: (inviter: string, company: string) => `${inviter} te invita a ver la facturación de ${company}.`,
    body:
      "Si lo esperabas, abre este enlace y entra o crea tu cuenta con esta misma dirección de correo. " +
      "Caduca en siete días y solo vale una vez. Si no, no tienes que hacer nada.",
  },
  en: {
    subject: "Invitation to a company",
    lead: (inviter: string, company: string) => `${inviter} invites you to the invoicing of ${company}.`,
    body:
      "If you expected it, open this link and sign in or create your account with this same e-mail " +
      "address. It expires in seven days and works once. If not, there is nothing to do.",
  },
} as const;

export function invitationMail({ to, url, inviter, legalName, language }: InvitationLink): Mail {
  const { subject, lead, body } = WORDS[language];
  const said = lead(mailedName(inviter), mailedName(legalName));
  return { to, subject, text: `${said}\n\n${body}\n\n${url}\n` };
}
