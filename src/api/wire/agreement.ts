import * as z from "zod";
import type { Problem } from "../../words/words.ts";

type Path = readonly (string | number)[];
type Report = (path: Path, problem: Problem) => void;

/**
 * Members whose presence depends on others. It runs beside the members' own checks, so that one answer names
 * every problem; hence it can take nothing for granted about what it reads.
 */
export const membersThatAgree = z.check((payload) => {
  const report: Report = (path, problem) =>
    payload.issues.push({ code: "custom", input: payload.value, path: [...path], params: { problem } });
  reportRectification(payload.value, report);
  reportAuthorisation(payload.value, report);
  reportRepeatedLineIds(payload.value, report);
  reportRepeatedReferences(payload.value, report);
});
membersThatAgree._zod.def.when = ({ value }) => typeof value === "object" && value !== null;

function reportRectification(body: unknown, report: Report): void {
  const type = member(body, "invoice_type");
  if (typeof type !== "string") return;
  const rectifying = /^R[1-5]$/.test(type);
  const citing = rectifying || type === "F3";
  const cited = member(body, "rectifies");
  const isCited = Array.isArray(cited) ? cited.length > 0 : isPresent(cited);
  const hasMethod = isPresent(member(body, "rectification_method"));
  const hasPeriod = reportPeriod(body, type, report);
  if (citing && !isCited && !hasPeriod)
    report(["rectifies"], { kind: Array.isArray(cited) ? "empty" : "required" });
  if (!/^F[12]$/.test(type) && !citing) return;
  if (!citing && isCited) report(["rectifies"], notHere(type));
  if (rectifying && !hasMethod) report(["rectification_method"], { kind: "required" });
  if (!rectifying && hasMethod) report(["rectification_method"], notHere(type));
}

/** What names a period need name no invoice. */
function reportPeriod(body: unknown, type: string, report: Report): boolean {
  if (!isPresent(member(body, "rectified_period"))) return false;
  const path = ["rectified_period"];
  const mayHave = type === "R1" || type === "R4";
  if (!mayHave) report(path, notHere(type));
  if (mayHave && member(body, "rectification_method") === "substitution") {
    report(path, { kind: "notWithSubstitution" });
  }
  return mayHave;
}

/** An authorisation is the ground of one legal basis; beside the other it would say nothing. */
function reportAuthorisation(body: unknown, report: Report): void {
  const attestation = member(body, "simplified_attestation");
  if (member(attestation, "legal_basis") !== "article_4_2") return;
  if (!isPresent(member(attestation, "authorisation"))) return;
  report(["simplified_attestation", "authorisation"], { kind: "notWithArticle42" });
}

function notHere(type: string): Problem {
  return { kind: "notHere", facts: { invoice_type: type } };
}

function reportRepeatedLineIds(body: unknown, report: Report): void {
  const lines = member(body, "lines");
  if (!Array.isArray(lines)) return;
  const seen = new Set<string>();
  for (const [index, line] of lines.entries()) {
    const id = member(line, "line_id");
    if (typeof id !== "string") continue;
    if (seen.has(id))
      report(["lines", index, "line_id"], { kind: "duplicateLineId", facts: { line_id: id } });
    seen.add(id);
  }
}

/** Cited twice, an invoice would count twice in what is rectified. */
function reportRepeatedReferences(body: unknown, report: Report): void {
  const cited = member(body, "rectifies");
  if (!Array.isArray(cited)) return;
  const seen = new Set<string>();
  for (const [index, reference] of cited.entries()) {
    const own = member(reference, "external_id");
    const key =
      typeof own === "string"
        ? `own ${own}`
        : `${member(reference, "number")} ${member(reference, "issue_date")}`;
    if (seen.has(key)) report(["rectifies", index], { kind: "duplicateReference" });
    seen.add(key);
  }
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}
