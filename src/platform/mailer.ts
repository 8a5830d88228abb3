export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Takes a message to be sent; it is not known whether it arrives. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}

export interface MailSettings {
  readonly transport: "log" | "binding";
  readonly from: string;
  readonly binding?: { send(mail: Mail & { readonly from: string }): Promise<unknown> };
  /** Prints the mail for a developer instead of sending it. */
  readonly print: (line: object) => void;
}

/** The configured mailer; a missing binding fails the first mail. */
export function mailerFor({ transport, from, binding, print }: MailSettings): Mailer {
  return {
    async send({ subject, ...sent }) {
      // The subject contains people's names: control characters that could start a new header line are
      // removed.
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
