import { IconInfoCircle } from "@tabler/icons-react";
import { FieldError, TextInput } from "../../../parts/fields.tsx";
import { Section } from "../../../parts/page-head.tsx";
import partStyles from "../../../parts/parts.module.css";
import shared from "../../../parts/preview.module.css";
import { amount, money } from "../../../words/format.ts";
import { type Say, useWords } from "../../../words/words.tsx";
import { type NamedGroup, taxGroupWord } from "../amounts.tsx";
import type { Line, LinesPreview } from "./lines-queries.ts";
import {
  isNothing,
  isOfAmount,
  isOver,
  type LinesProblems,
  type LinesValues,
  typeableCount,
} from "./lines-values.ts";
import { QuantityField } from "./quantity-field.tsx";
import styles from "./rectify-lines.module.css";

interface LineTableProps {
  readonly values: LinesValues;
  readonly preview: LinesPreview;
  /** True while the amounts are of what was typed before. */
  readonly isFading: boolean;
  /** True if what is typed has no amounts yet. */
  readonly isUnknown: boolean;
  readonly problems: LinesProblems;
  readonly setQuantity: (line: number, typed: string) => void;
  readonly setAmount: (line: number, typed: string) => void;
  readonly takeEverything: () => void;
}

const GROUP = "rectified-lines";
const PROBLEM = "rectified-lines-problem";

/** A row for each line: what was sold, how much of it goes back, and the amount with tax. */
export function LineTable(props: LineTableProps) {
  const say = useWords();
  const { values, preview, problems, takeEverything } = props;
  const { what } = values;
  const title = what === "refund" || what === "void" ? "byLines.lines" : (`byLines.lines.${what}` as const);
  return (
    <Section
      title={say(title)}
      aside={
        what === "refund" && (
          <button type="button" className={shared.link} onClick={takeEverything}>
            {say("byLines.everything")}
          </button>
        )
      }
      flush
    >
      <fieldset
        id={GROUP}
        tabIndex={-1}
        className={styles.lines}
        aria-label={say(title)}
        {...(problems.lines ? { "aria-describedby": PROBLEM } : {})}
      >
        {problems.lines && (
          <p id={PROBLEM} className={styles.linesProblem}>
            <FieldError>{problems.lines}</FieldError>
          </p>
        )}
        <table className={`${partStyles.table} ${partStyles.tight} ${styles.table}`}>
          <caption className="hidden">{say(title)}</caption>
          <Heads {...props} />
          <tbody>
            {preview.lines.map((line) => (
              <Row key={line.line} line={line} {...props} />
            ))}
          </tbody>
          <Foot {...props} />
        </table>
      </fieldset>
      <LeftAfter {...props} />
    </Section>
  );
}

function Heads({ values: { what }, preview }: LineTableProps) {
  const say = useWords();
  return (
    <thead>
      <tr>
        <th scope="col">{say("byLines.item")}</th>
        <th scope="col" data-num>
          {say("byLines.sold")}
        </th>
        {what === "refund" ? (
          <th scope="col">{say("byLines.quantity")}</th>
        ) : (
          <th scope="col" data-num>
            {say("byLines.remains")}
          </th>
        )}
        <th scope="col" data-num>
          {say("byLines.amount", { tax: taxOf(preview, say) })}
        </th>
      </tr>
    </thead>
  );
}

function Row({
  line,
  values,
  preview,
  isFading,
  isUnknown,
  problems,
  setQuantity,
  setAmount,
}: LineTableProps & { readonly line: Line }) {
  const say = useWords();
  const { currency } = preview.invoice;
  const { what } = values;
  const isTyped = isOfAmount(what, line);
  const isGone = isOver(line);
  const isQuiet = isGone || (what === "refund" && isNothing(line.amount));
  return (
    <tr data-quiet={isQuiet || undefined}>
      <td>
        {line.description}
        <span className={partStyles.second}>{secondOf(line, currency, say)}</span>
      </td>
      <td className="num">{typeableCount(line.quantity)}</td>
      {what === "refund" ? (
        <td>
          {!isTyped && !isGone && (
            <QuantityField
              line={line.description}
              value={values.quantities[line.line] ?? "0"}
              most={line.left.quantity}
              error={problems[`quantities.${line.line}`]}
              onChange={(typed) => setQuantity(line.line, typed)}
            />
          )}
        </td>
      ) : (
        <td className="num">{amount(line.left.amount, currency)}</td>
      )}
      <td className="num">
        {isTyped && !isGone ? (
          <TextInput
            className={styles.amount}
            aria-label={say("byLines.amount.of", { tax: taxOf(preview, say), line: line.description })}
            inputMode="decimal"
            autoComplete="off"
            placeholder={amount("0", currency)}
            value={values.amounts[line.line] ?? ""}
            error={problems[`amounts.${line.line}`]}
            onChange={({ currentTarget }) => setAmount(line.line, currentTarget.value)}
          />
        ) : (
          <span className={isFading ? shared.fading : undefined}>
            {isUnknown ? "—" : amount(line.amount, currency)}
          </span>
        )}
      </td>
    </tr>
  );
}

/** 48,40 la unidad · IVA 21 %, and what is left if a part went back before. */
function secondOf({ price, quantity, taken, left, ...line }: Line, currency: string, say: Say): string {
  const each = amount(price, currency);
  const isTouched = !isNothing(taken.amount) || !isNothing(taken.quantity);
  return [
    quantity === "1" ? each : say("byLines.each", { price: each }),
    lineTax(line, say),
    ...(isTouched ? [say("byLines.remains.amount", { amount: money(left.amount, currency) })] : []),
  ].join(" · ");
}

interface TaxedLine extends Omit<NamedGroup, "rate" | "surchargeRate"> {
  /** Null where no tax is charged. */
  readonly rate: string | null;
  readonly surchargeRate: string | null;
}

export function lineTax({ rate, surchargeRate, ...group }: TaxedLine, say: Say): string {
  return taxGroupWord(
    { ...group, rate: rate ?? "0", ...(surchargeRate === null ? {} : { surchargeRate }) },
    say,
  );
}

/** The tax in the head of the amounts: an invoice has one, but for rare ones. */
export function taxOf({ lines: [first] }: Pick<LinesPreview, "lines">, say: Say): string {
  return say(`rectify.tax.${first?.tax ?? "01"}`);
}

function Foot({ values: { what }, preview, isFading, isUnknown }: LineTableProps) {
  const say = useWords();
  if (what === "void") return null;
  const { total, problem, invoice } = preview;
  const isWrong = isUnknown || (total === null && problem?.code !== "rectify_nothing_chosen");
  const shown = what === "substitution" ? (total ?? "0") : negated(total ?? "0");
  return (
    <tfoot>
      <tr>
        <td colSpan={3}>{say(`byLines.sum.${what}`)}</td>
        <td className="num">
          <span className={isFading ? shared.fading : undefined}>
            {isWrong ? "—" : money(shown, invoice.currency)}
          </span>
        </td>
      </tr>
    </tfoot>
  );
}

function negated(exactText: string): string {
  if (isNothing(exactText)) return "0";
  return exactText.startsWith("-") ? exactText.slice(1) : `-${exactText}`;
}

function LeftAfter({ values: { what }, preview, isUnknown }: LineTableProps) {
  const say = useWords();
  if (what === "substitution") return null;
  const { left, leftAfter, invoice } = preview;
  return (
    <p className={shared.note}>
      <IconInfoCircle size={16} aria-hidden />
      <span>
        {leftAfter === null || isUnknown
          ? `${say("byLines.remains.amount", { amount: money(left, invoice.currency) })}.`
          : say("byLines.left", { amount: money(leftAfter, invoice.currency) })}
      </span>
    </p>
  );
}

/** For who reads only. */
export function SoldLines({ preview }: { readonly preview: LinesPreview }) {
  const say = useWords();
  const { currency } = preview.invoice;
  return (
    <Section title={say("byLines.lines.sold")} flush>
      <table className={`${partStyles.table} ${partStyles.tight}`}>
        <caption className="hidden">{say("byLines.lines.sold")}</caption>
        <thead>
          <tr>
            <th scope="col">{say("byLines.item")}</th>
            <th scope="col" data-num>
              {say("byLines.sold")}
            </th>
            <th scope="col" data-num>
              {say("byLines.remains")}
            </th>
          </tr>
        </thead>
        <tbody>
          {preview.lines.map((line) => (
            <tr key={line.line}>
              <td>
                {line.description}
                <span className={partStyles.second}>{secondOf(line, currency, say)}</span>
              </td>
              <td className="num">{typeableCount(line.quantity)}</td>
              <td className="num">{amount(line.left.amount, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
