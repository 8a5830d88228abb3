import type { Mail } from "../usecases/console/identity-ports.ts";

export interface ResetLink {
  readonly to: string;
  readonly url: string;
  readonly product: string;
  /** "es" unless the request prefers English. */
  readonly language: "es" | "en";
}

const WORDS = {
  es: {
    subject: (product: string) => `Cambiar tu contraseña de ${product}`,
    body:
      "Abre este enlace para elegir una contraseña nueva. Caduca en una hora. Si no lo has pedido tú, " +
      "no hagas nada.",
  },
  en: {
    subject: (product: string) => `Change your ${product} password`,
    body: "Open this link to choose a new password. It expires in one hour. If it was not you, do nothing.",
  },
} as const;

export function resetMail({ to, url, product, language }: ResetLink): Mail {
  const words = WORDS[language];
  return { to, subject: words.subject(product), text: `${words.body}\n\n${url}\n` };
}
