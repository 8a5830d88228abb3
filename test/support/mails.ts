/** What the product mails while a test runs: on a developer's machine mails are printed. */
import { vi } from "vitest";

export interface HeardMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mails {
  all(): readonly HeardMail[];
  to(email: string): readonly HeardMail[];
  /** Mails leave behind the answer: waits until there are so many to the address. */
  arrived(email: string, count?: number): Promise<readonly HeardMail[]>;
  /** The token of the newest link that was mailed to the address. */
  token(email: string, count?: number): Promise<string>;
  /** Lines of the log of that level. */
  lines(level: string): readonly Readonly<Record<string, unknown>>[];
}

export function hearMails(): Mails {
  const printed = vi.spyOn(console, "log");
  const lines = (level: string) =>
    printed.mock.calls.flatMap(([line]) => {
      const text = String(line);
      return text.includes(`"level":"${level}"`)
        ? [JSON.parse(text) as Readonly<Record<string, unknown>>]
        : [];
    });
  const all = () => lines("mail") as unknown as readonly HeardMail[];
  const to = (email: string) => all().filter((mail) => mail.to === email);
  const arrived = (email: string, count = 1) =>
    vi.waitFor(
      () => {
        const found = to(email);
        if (found.length < count) throw new Error(`${found.length} mails to ${email}`);
        return found;
      },
      { timeout: 10_000 },
    );
  return {
    ...{ lines, all, to, arrived },
    token: async (email, count) =>
      /token=([\w-]+)/.exec((await arrived(email, count)).at(-1)?.text ?? "")?.[1] ?? "",
  };
}
