import type { Mail, Mailer } from "../db/people/identity-store.ts";

export interface MailSettings {
  readonly transport: "log" | "binding";
  readonly from: string;
  readonly binding?: { send(mail: Mail & { readonly from: string }): Promise<unknown> };
  /** Where a developer reads what would have been sent. */
  readonly print: (line: object) => void;
}

/** The way that mails take by configuration; a binding that is missing fails the first mail. */
export function mailerFor({ transport, from, binding, print }: MailSettings): Mailer {
  return {
    async send({ subject, ...sent }) {
      // People's names stand in it: what would begin another line of the message's head does not.
      const mail = { ...sent, subject: subject.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim() };
      if (transport === "log") {
        print({ level: "mail", ...mail });
      } else if (binding) {
        await binding.send({ ...mail, from });
      } else {
        throw new Error("MAIL_TRANSPORT=binding needs the binding MAIL");
      }
    },
  };
}
