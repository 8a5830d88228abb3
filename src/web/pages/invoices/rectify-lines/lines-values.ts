import { currentLanguage } from "../../../app/language.ts";
import { amount as written } from "../../../words/format.ts";
import type { Say } from "../../../words/words.tsx";
import { typedAmount } from "../typed-amount.ts";
import type { Line, LinesBody, LinesPart, LinesPreview, SaleChange } from "./lines-queries.ts";

/** What is typed, by the number of the line on the invoice. */
export interface LinesValues {
  readonly what: SaleChange;
  readonly quantities: Readonly<Record<number, string>>;
  readonly amounts: Readonly<Record<number, string>>;
  readonly cause: string;
}

/** By the name of the field: `quantities.2`, `amounts.2`, `lines`, `cause`. */
export type LinesProblems = Readonly<Record<string, string>>;

export function beginningWith(what: SaleChange, lines: readonly Line[]): LinesValues {
  return { what, quantities: {}, amounts: amountsFor(what, lines), cause: "" };
}

/** A new issue begins with what each line comes to now; a reduction begins with nothing. */
export function amountsFor(what: SaleChange, lines: readonly Line[]): LinesValues["amounts"] {
  if (what !== "substitution") return {};
  return Object.fromEntries(lines.map(({ line, left }) => [line, typeable(left.amount)]));
}

/** Everything that is left: pieces, and amounts of the lines of which only an amount is left. */
export function everythingOf(lines: readonly Line[]): Pick<LinesValues, "quantities" | "amounts"> {
  const byPieces = lines.filter((line) => !isOfAmount("refund", line));
  const byAmount = lines.filter((line) => isOfAmount("refund", line) && !isNothing(line.left.amount));
  return {
    quantities: Object.fromEntries(byPieces.map(({ line, left }) => [line, typeableCount(left.quantity)])),
    amounts: Object.fromEntries(byAmount.map(({ line, left }) => [line, typeable(left.amount)])),
  };
}

/** Of a refund pieces go back, but for a line whose pieces are all back and whose amount is not. */
export function isOfAmount(what: SaleChange, { left }: Line): boolean {
  return what !== "refund" || (isNothing(left.quantity) && !isNothing(left.amount));
}

/** Nothing of it is left, maybe by an act of another person meanwhile: it has no field. */
export function isOver({ left }: Line): boolean {
  return isNothing(left.amount) && isNothing(left.quantity);
}

export function bodyOf({ what, quantities, amounts, cause }: LinesValues, lines: readonly Line[]): LinesBody {
  if (what === "void") return { what, lines: [], cause };
  const parts = lines.flatMap((line): LinesPart[] => {
    if (isOver(line)) return [];
    if (!isOfAmount(what, line)) {
      const quantity = exact(quantities[line.line]);
      return isNothing(quantity) ? [] : [{ line: line.line, quantity }];
    }
    const amount = exact(amounts[line.line]);
    // Of a new issue a line of nothing is one that is left out.
    if (what === "substitution") return amount === line.left.amount ? [] : [{ line: line.line, amount }];
    return isNothing(amount) ? [] : [{ line: line.line, amount }];
  });
  return { what, lines: parts, cause };
}

/** Checked before anything is asked: the server would refuse the shape, not the rule. */
export function wrongLines(values: LinesValues, lines: readonly Line[], say: Say): LinesProblems {
  if (values.what === "void") return {};
  return Object.fromEntries(
    lines.flatMap((line): [string, string][] => {
      if (isOver(line)) return [];
      if (isOfAmount(values.what, line)) {
        const isWrong = !AMOUNT.test(exact(values.amounts[line.line]));
        return isWrong ? [[`amounts.${line.line}`, say("form.amount")]] : [];
      }
      const quantity = exact(values.quantities[line.line]);
      const isWrong = !COUNT.test(quantity) || Number(quantity) > Number(line.left.quantity);
      const left = typeableCount(line.left.quantity);
      return isWrong ? [[`quantities.${line.line}`, say("byLines.quantity.wrong", { left })]] : [];
    }),
  );
}

/** What the form itself finds when it is submitted. */
export function problemsIn(values: LinesValues, lines: readonly Line[], say: Say): LinesProblems {
  const { what } = values;
  const wrong = wrongLines(values, lines, say);
  const isNothingChosen =
    what !== "void" && Object.keys(wrong).length === 0 && bodyOf(values, lines).lines.length === 0;
  return {
    ...wrong,
    ...(isNothingChosen ? { lines: say(nothingChosen(what)) } : {}),
    ...(values.cause.trim() === "" ? { cause: say("byLines.reason.missing") } : {}),
  };
}

export function nothingChosen(what: SaleChange) {
  return what === "price_reduction" || what === "substitution"
    ? (`byLines.none.${what}` as const)
    : "byLines.none";
}

/** The server names the parts that were sent by their place: `lines.0.quantity`. */
export function fieldOf(path: string, { lines: sent }: LinesBody): string {
  const place = /^lines\.(\d+)\.(quantity|amount|line)$/.exec(path);
  const part = place && sent[Number(place[1])];
  if (!part) return path.startsWith("lines") ? "lines" : path;
  return "quantity" in part ? `quantities.${part.line}` : `amounts.${part.line}`;
}

/** The problem of a preview at its field; one of the whole is said in the preview alone. */
export function problemOf({ problem }: LinesPreview, asked: LinesBody): LinesProblems {
  if (!problem || problem.path === "" || problem.code === "rectify_without_cause") return {};
  const field = fieldOf(problem.path, asked);
  return field === "lines" || field === "what" ? {} : { [field]: problem.message };
}

const COUNT = /^\d{1,12}(\.\d{1,6})?$/;
const AMOUNT = /^-?\d{1,12}(\.\d{1,6})?$/;

export function exact(typed = ""): string {
  return typed.trim() === "" ? "0" : typedAmount(typed, currentLanguage());
}

export function isNothing(exactText: string): boolean {
  return /^-?0*(\.0*)?$/.test(exactText);
}

function typeable(exactText: string): string {
  return written(exactText).replace("−", "-");
}

/** A quantity as a person types it: without digits that say nothing. */
export function typeableCount(exactText: string): string {
  return currentLanguage() === "es" ? exactText.replace(".", ",") : exactText;
}
