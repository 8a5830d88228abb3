/** The output of `npm run retention`. */

import type { RunSoFar, YearPlan } from "../db/retention/retention-plan.ts";
import type { Obstacle } from "../domain/retention/keeping.ts";
import { assertNever } from "../domain/shared/result.ts";

export function planReport(plan: YearPlan, obstacles: readonly Obstacle[]): string {
  const { year, run } = plan;
  const title = `${year} of ${plan.legalName} (${plan.nif}), account ${plan.accountId}`;
  if (run) return [title, "", ...runLines(run)].join("\n");
  return [
    title,
    "",
    "Would leave:",
    ...table([
      [plan.counts.invoices, "invoices, with documents, links, lists, words, and the orders they were for"],
      [plan.counts.records, "records of the chain"],
      [plan.counts.attempts, "messages to the AEAT, with their bytes and those of their answers"],
      [plan.counts.auditLines, "lines of the audit log"],
    ]),
    ...cutLines(plan),
    ...correctedLines(plan),
    "",
    ...(obstacles.length === 0 ? readyLines(plan) : ["Against it stands:", ...obstacles.map(obstacleLine)]),
  ].join("\n");
}

export function begunReport({ accountId, year }: YearPlan): string {
  return [
    `Begun: ${year} leaves account ${accountId}. The service works it off, some of it every minute.`,
    "The same command without --confirm shows how far it has come; interrupted, it goes on by itself.",
    "When it has ended, run npm run verify for every connection of the account.",
  ].join("\n");
}

function cutLines({ chains }: YearPlan): string[] {
  return chains
    .filter(({ records }) => records > 0)
    .map(
      ({ installationNumber, cut }) =>
        `  Installation ${installationNumber} begins behind position ${cut} then.`,
    );
}

function correctedLines({ counts: { corrected } }: YearPlan): string[] {
  if (corrected === 0) return [];
  return [`  ${figure(corrected)} of its invoices were corrected in later years: those corrections stay.`];
}

function readyLines({ nif, year }: YearPlan): string[] {
  return [
    "Nothing stands against it, and nothing has been written. It cannot be taken back: hand over an export",
    `first (docs/runbooks/retention.md). To begin: --confirm ${nif}-${year} --operator NAME --reason TEXT`,
  ];
}

function runLines({ begunBy, begunAt, reason, endedAt, left }: RunSoFar): string[] {
  return [
    `Begun by ${begunBy} at ${moment(begunAt)}: ${reason}`,
    endedAt === undefined ? "It is being worked off. Left so far:" : `Ended at ${moment(endedAt)}. Left:`,
    ...table([
      [left.invoices, "invoices"],
      [left.orders, "orders"],
      [left.records, "records"],
      [left.attempts, "messages"],
      [left.auditLines, "lines of the audit log"],
    ]),
  ];
}

function obstacleLine(obstacle: Obstacle): string {
  return `  ${sentenceOf(obstacle)}`;
}

const ONE_STOP_SHOP_LAW = "Directive 2006/112/EC, article 369";

function sentenceOf(obstacle: Obstacle): string {
  switch (obstacle.code) {
    case "frozen":
      return "The account is frozen: nothing of it changes before it is thawed.";
    case "behind_another":
      return "A later year has left already, or another one is leaving: years leave in their order.";
    case "too_young":
      return `It has to be kept until ${obstacle.until} (Código de Comercio, article 30).`;
    case "one_stop_shop":
      return `It has sales of the one-stop shop, kept until ${obstacle.until} (${ONE_STOP_SHOP_LAW}).`;
    case "ended":
      return `It has left already, at ${moment(obstacle.at)}.`;
    case "earlier_year":
      return `There are invoices of ${obstacle.year}, which has to leave before.`;
    case "unsubmitted":
      return `Installation ${obstacle.chain} has records that the AEAT has not decided on.`;
    case "not_entered":
      return `Installation ${obstacle.chain} has records that no list knows yet; they come by themselves.`;
    default:
      return assertNever(obstacle);
  }
}

function table(rows: readonly (readonly [number, string])[]): string[] {
  return rows.map(([count, what]) => `  ${figure(count).padStart(11)}  ${what}`);
}

function figure(count: number): string {
  return count.toLocaleString("en");
}

function moment(at: number): string {
  return new Date(at).toISOString();
}
