import { type Context, Hono } from "hono";
import * as z from "zod";
import { email } from "../../api/wire/trade-values.ts";
import {
  deliveryMembers,
  MAIL_LANGUAGES,
  MAILED_FORMATS,
  mailedFormats,
} from "../../domain/mailing/invoice-delivery.ts";
import type { MailSwitch } from "../../domain/mailing/mail-switch.ts";
import { isoInstant } from "../../domain/shared/instant.ts";
import type { ConsoleEnv } from "../deps.ts";
import { act } from "../owner-verb.ts";
import { refuse, refuseAtGate, refuseByRule } from "../refuse.ts";
import { withHash } from "../setup/texts/legal-text.ts";
import { mailingTextV1 } from "../setup/texts/mailing-v1.ts";
import { body, changeId, freeText, idOf } from "../shapes.ts";

export const mailBody = z.strictObject({
  deed: changeId,
  to: email,
  language: z.enum(MAIL_LANGUAGES),
  formats: z.array(z.enum(MAILED_FORMATS)).max(MAILED_FORMATS.length),
  resend: z.boolean(),
});

export const mailingBody = z.strictObject({
  profile: idOf(64).optional(),
  to: z.enum(["nobody", "accepting", "everyone"]),
  /** Of the declaration that was shown, for `everyone`. */
  text_version: freeText(10).optional(),
  text_sha256: freeText(64).optional(),
});

/** An owner sends an invoice by mail. */
export const mailRoutes = new Hono<ConsoleEnv>().post(
  "/invoices/:invoice/mails",
  body(mailBody),
  async (c) => {
    const { account, reads, deps, user } = c.var;
    const invoiceId = c.req.param("invoice");
    const connectionId = await reads.invoice.findConnection(account.accountId, invoiceId);
    if (connectionId === undefined) return refuse(c, "not_found");
    const { deed, to, language, formats, resend } = c.req.valid("json");
    const outcome = await deps.owner(connectionId).mailInvoice(connectionId, {
      ...{ invoiceId, to, language, resend, formats: mailedFormats(formats) },
      ...{ userId: user.id, requestId: deed },
    });
    switch (outcome.outcome) {
      case "queued":
      case "replayed":
        return c.json({ success: true as const, data: deliveryMembers(outcome.delivery) });
      case "refused":
        return refuseByRule(c, outcome.refusal);
      case "cannot_express":
        return refuse(c, "format_cannot_express", { facts: { format: outcome.format } });
      case "rate_limited":
        return refuse(c, "rate_limited", { retryAfterSeconds: outcome.retryAfterSeconds });
      case "unknown":
        return refuse(c, "not_found");
      default:
        return refuseAtGate(c, outcome);
    }
  },
);

/** Which invoices are mailed when they are issued. */
export const mailingRoutes = new Hono<ConsoleEnv>()
  .get("/mailing", async (c) => {
    const { legalName, targets } = await readMailing(c);
    const people = targets.flatMap(({ mailing }) => mailing?.declared?.by ?? []);
    const names = await c.var.deps.members.namesOf(people);
    const data = {
      text: textFor(c, legalName),
      targets: targets.map(({ profile, mailing }) => ({
        profile: profile ?? null,
        to: toOf(mailing),
        declared: mailing?.declared
          ? {
              by: names.get(mailing.declared.by) ?? null,
              at: isoInstant(mailing.declared.at),
              version: mailing.declared.textVersion,
            }
          : null,
      })),
    };
    return c.json({ success: true as const, data });
  })
  .put("/mailing", body(mailingBody), async (c) => {
    const { profile, to, text_version: version, text_sha256: sha256 } = c.req.valid("json");
    const { legalName } = await readMailing(c);
    const text = textFor(c, legalName);
    const hasRead = version === text.version && sha256 === text.sha256;
    if (to === "everyone" && !hasRead) return refuse(c, "consent_text_outdated");
    await act(c, {
      ...{ verb: "switch_mailing", to },
      ...(profile === undefined ? {} : { profileId: profile }),
      ...(to === "everyone" ? { textVersion: text.version } : {}),
    });
    return c.json({ success: true as const, data: {} });
  });

async function readMailing(c: Context<ConsoleEnv>) {
  const { account, connection, reads } = c.var;
  return (await reads.mailing.read(account.accountId, connection.id)) ?? refuse(c, "not_found");
}

function textFor(c: Context<ConsoleEnv>, legalName: string) {
  return withHash(mailingTextV1({ legalName }, c.var.language));
}

function toOf(mailing: MailSwitch | undefined): z.output<typeof mailingBody>["to"] {
  if (!mailing) return "nobody";
  return mailing.declared ? "everyone" : "accepting";
}
