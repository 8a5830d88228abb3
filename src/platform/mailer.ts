import type { Mail, Mailer } from "../db/people/identity-ports.ts";

export interface MailSettings {
  /** "log" or "binding". */
  readonly transport: string;
  readonly from: string;
  readonly binding?: { send(mail: Mail & { readonly from: string }): Promise<unknown> };
  /** Where a developer reads what would have been sent. */
  readonly print: (line: object) => void;
}

/** The way that mails take by configuration; a wrong one is told when the first is to be sent. */
export function mailerFor({ transport, from, binding, print }: MailSettings): Mailer {
  return {
    async send({ subject, ...sent }) {
      // People's names stand in it: what would begin another line of the message's head does not.
      const mail = { ...sent, subject: subject.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim() };
      if (transport === "log") {
        print({ level: "mail", ...mail });
      } else if (transport === "binding" && binding) {
        await binding.send({ ...mail, from });
      } else {
        throw new Error(`no mail leaves by MAIL_TRANSPORT=${transport} without its binding`);
      }
    },
  };
}
