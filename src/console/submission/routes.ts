import { type Context, Hono } from "hono";
import * as z from "zod";
import { list } from "../../api/wire/values.ts";
import type { ChainStatus } from "../../db/submission/submission-status.ts";
import { brokenChecks, INVOICE_CHECKS, RECORD_CHECKS } from "../../domain/proof/checks.ts";
import { civilDate } from "../../domain/shared/civil-date.ts";
import { isoInstant } from "../../domain/shared/instant.ts";
import { ourFault } from "../../domain/verifactu/submission/meaning.ts";
import type { ExportOutcome } from "../../ledger/rpc.ts";
import type { ConsoleEnv } from "../deps.ts";
import { question, uncontested } from "../gates.ts";
import { file } from "../invoices/routes.ts";
import { shownAttempt } from "../invoices/view.ts";
import { asksForOwner } from "../overview/view.ts";
import { act } from "../owner-verb.ts";
import { cursor, cursorOf } from "../pages.ts";
import { refuse, refuseUnavailable } from "../refuse.ts";
import { body, changeId, idOf, month, query } from "../shapes.ts";
import { noticeOf, type ViewedStatus, viewStatuses } from "./queries.ts";

const LONGEST = 200;
const MOST_WALKS = 1_000;

const plain = z.string().max(LONGEST);
const count = z.int().min(0);

const read = { position: count, hash: plain };
const key = z.strictObject({ issuerNif: plain, number: plain, date: plain });

const chain = z.strictObject({
  ...{ connectionId: plain, accountId: plain, installationId: plain, installationNumber: plain },
  environment: z.enum(["test", "production"]),
  ...{ openedAt: z.int(), last: count },
  start: z.strictObject({ ...read, key, generatedAt: plain }).exactOptional(),
  leftUntil: count.exactOptional(),
});

const series = z.strictObject({
  ...{ connectionId: plain, accountId: plain, code: plain, last: count },
  installationId: plain.exactOptional(),
});

const walked = z.discriminatedUnion("isRead", [
  z.strictObject({ isRead: z.literal(true), ...read, key, generatedAt: plain }),
  z.strictObject({ isRead: z.literal(false), ...read }),
]);

const at = z.discriminatedUnion("walk", [
  z.strictObject({ walk: z.literal("chains"), index: count, head: walked.exactOptional() }),
  z.strictObject({
    walk: z.literal("series"),
    index: count,
    head: z.strictObject({ number: count, date: plain }).exactOptional(),
  }),
  z.strictObject({ walk: z.literal("done") }),
]);

const place = z.union([
  z.strictObject({ chain: plain, position: count }),
  z.strictObject({ series: plain, number: count }),
]);
const tallied = z.strictObject({ checked: count, broken: count, first: place.exactOptional() });

/** Result of the previous part, from which the next part continues; absent for the first part. */
export const verificationBody = z.strictObject({
  from: z
    .strictObject({
      chains: list(chain, MOST_WALKS).readonly(),
      series: list(series, MOST_WALKS).readonly(),
      at,
      tally: z.record(z.enum([...RECORD_CHECKS, ...INVOICE_CHECKS]), tallied),
      leftUntil: count.exactOptional(),
    })
    .optional(),
});

/** One record, or all records that were declined because of a fault of ours. */
export const resendBody = z.strictObject({ deed: changeId, invoice: idOf(64).optional() });

export const attemptsQuery = z.strictObject({
  installation: idOf(64),
  cursor: cursor(z.strictObject({ startedAt: z.int(), row: z.int() })).optional(),
});

export const exportQuery = z.strictObject({ month });

/** Submission of the account's records to the AEAT. */
export const submissionRoutes = new Hono<ConsoleEnv>()
  .get("/notice", async (c) => {
    const { account, reads, deps } = c.var;
    const { wantsRepresentation } = deps;
    const read = await reads.submission.readNotice(account.accountId, wantsRepresentation);
    const notice = read && noticeOf(read, { wantsRepresentation });
    const shown =
      notice?.notice === "unsent" ? { ...notice, since: isoInstant(notice.since) } : (notice ?? null);
    return c.json({ success: true as const, data: { notice: shown } });
  })
  .get("/submission", async (c) => {
    const { account, reads, deps } = c.var;
    const [read, attention] = await Promise.all([
      reads.submission.readStandings(account.accountId),
      reads.overview.readAttention(account.accountId),
    ]);
    const standings = viewStatuses(read, { now: deps.now(), wantsRepresentation: deps.wantsRepresentation });
    return c.json({
      success: true as const,
      data: {
        chains: standings.flatMap(shownChains),
        toCorrect: attention.declined
          .filter(asksForOwner)
          .map((one) => ({ ...one, isOurs: ourFault(one.code) !== undefined })),
        toResend: standings.flatMap(({ connection, resendable }) =>
          resendable > 0 ? [{ connection, records: resendable }] : [],
        ),
      },
    });
  });

export const submissionOfConnection = new Hono<ConsoleEnv>()
  .get("/submission/attempts", query(attemptsQuery), async (c) => {
    const { account, reads, connection } = c.var;
    const { installation: installationId, cursor } = c.req.valid("query");
    const page = await reads.submission.readAttempts(connection.id, {
      ...{ accountId: account.accountId, installationId },
      ...(cursor ? { before: cursor.key } : {}),
    });
    return c.json({
      success: true as const,
      data: {
        items: page.attempts.map(shownAttempt),
        next: page.next ? cursorOf({ way: "after", key: page.next }) : null,
      },
    });
  })
  .post("/submission/resume", async (c) => {
    await act(c, { verb: "resume_submission" });
    return c.json({ success: true as const, data: {} });
  })
  .post("/submission/resend", body(resendBody), async (c) => {
    const { connection, owner, user } = c.var;
    const { deed: changeKey, invoice } = c.req.valid("json");
    const outcome = await owner.resendRecords(connection.id, {
      ...{ userId: user.id, requestId: changeKey },
      ...(invoice === undefined ? {} : { invoiceId: invoice }),
    });
    if (outcome.outcome !== "resent") return refuseUnavailable(c, outcome);
    const { records, refused, isMore } = outcome;
    return c.json({ success: true as const, data: { records, refused, isMore } });
  })
  .post("/verification/check", question, body(verificationBody), async (c) => {
    const { account, connection, owner } = c.var;
    const { from } = c.req.valid("json");
    const outcome = await owner.verifyBooks(connection.id, {
      ...{ accountId: account.accountId },
      ...(from ? { from } : {}),
    });
    switch (outcome.outcome) {
      case "verified": {
        const { isDone, verified } = outcome;
        const { tally } = verified;
        const broken = brokenChecks(tally).map((check) => ({ check, ...tally[check] }));
        return c.json({
          success: true as const,
          data: {
            ...{ isDone, verified, broken },
            records: tally.hash.checked,
            invoices: tally.number.checked,
          },
        });
      }
      case "unknown":
        return refuse(c, "not_found");
      default:
        return refuseUnavailable(c, outcome);
    }
  })
  .get("/exports/invoices.csv", uncontested, query(exportQuery), async (c) => {
    const { connection, owner } = c.var;
    const { month } = c.req.valid("query");
    const exported = await owner.exportInvoices(connection.id, askedOf(c, month));
    return exportOf(c, exported, { type: "text/csv; charset=utf-8", name: `facturas-${month}.csv` });
  })
  .get("/exports/records.xml", uncontested, query(exportQuery), async (c) => {
    const { connection, owner } = c.var;
    const { month } = c.req.valid("query");
    const exported = await owner.exportRecords(connection.id, askedOf(c, month));
    return exportOf(c, exported, { type: "application/xml; charset=utf-8", name: `registros-${month}.xml` });
  });

function askedOf(c: Context<ConsoleEnv>, month: string) {
  const { account, user } = c.var;
  const [year = 0, number = 0] = month.split("-").map(Number);
  const last = new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
  const days = { from: civilDate(`${month}-01`), to: civilDate(last) };
  return { accountId: account.accountId, userId: user.id, ...days };
}

interface ExportFile {
  readonly type: string;
  readonly name: string;
}

function exportOf(c: Context<ConsoleEnv>, outcome: ExportOutcome, { type, name }: ExportFile): Response {
  switch (outcome.outcome) {
    case "exported":
      return file(outcome.bytes, type, name);
    case "unknown":
      return refuse(c, "not_found");
    default:
      return refuseUnavailable(c, outcome);
  }
}

function shownChains({ connection, chains, representationPending }: ViewedStatus) {
  return chains.map((chain) => ({ connection, representationPending, ...shownChain(chain) }));
}

function shownChain({ stopped, underWay, ...chain }: ChainStatus) {
  const { unsentSince, incidentSince, nextAttemptAt, lastAnswerAt, ...plain } = chain;
  return {
    ...plain,
    ...(stopped ? { stopped: { ...stopped, since: isoInstant(stopped.since) } } : {}),
    ...(underWay ? { underWay: { ...underWay, startedAt: isoInstant(underWay.startedAt) } } : {}),
    ...(unsentSince === undefined ? {} : { unsentSince: isoInstant(unsentSince) }),
    ...(incidentSince === undefined ? {} : { incidentSince: isoInstant(incidentSince) }),
    ...(nextAttemptAt === undefined ? {} : { nextAttemptAt: isoInstant(nextAttemptAt) }),
    ...(lastAnswerAt === undefined ? {} : { lastAnswerAt: isoInstant(lastAnswerAt) }),
  };
}
