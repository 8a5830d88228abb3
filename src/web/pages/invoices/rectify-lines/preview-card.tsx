import { IconAlertTriangle, IconFileSearch, IconInfoCircle } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { GroupTable } from "../../../parts/group-table.tsx";
import { Section } from "../../../parts/page-head.tsx";
import shared from "../../../parts/preview.module.css";
import { ErrorCard } from "../../../parts/states.tsx";
import { date, longDate, money } from "../../../words/format.ts";
import { type Say, useWords } from "../../../words/words.tsx";
import { SheetDialog } from "../../orders/sheet-dialog.tsx";
import { lineTax, taxOf } from "./line-table.tsx";
import type { LinesDraft, LinesPreview, SaleChange } from "./lines-queries.ts";
import { nothingChosen } from "./lines-values.ts";

interface PreviewCardProps {
  readonly what: SaleChange;
  readonly preview: LinesPreview;
  /** The figures are of before: the next are on their way. */
  readonly isFading: boolean;
  /** True if what is typed has no figures yet. */
  readonly isUnknown: boolean;
  readonly error: unknown;
  readonly retry: () => void;
}

/** La rectificativa que saldría: worked out again after each change, by the decision that issues it. */
export function PreviewCard({ what, preview, isFading, isUnknown, error, retry }: PreviewCardProps) {
  const say = useWords();
  return (
    <div className={`${shared.preview} ${isFading ? shared.fading : ""}`} aria-busy={isFading}>
      <Section
        title={say(what === "void" ? "byLines.would.void" : "byLines.would")}
        aside={what === "void" ? undefined : say("byLines.would.note")}
        flush
      >
        {error ? (
          <ErrorCard error={error} retry={retry} />
        ) : (
          <Content what={what} preview={preview} isUnknown={isUnknown} />
        )}
        {/* The one region that is read out; the figures above are the same. */}
        <p className="hidden" aria-live="polite">
          {!isFading &&
            !isUnknown &&
            preview.total !== null &&
            money(preview.total, preview.invoice.currency)}
        </p>
      </Section>
    </div>
  );
}

function Content({ what, preview, isUnknown }: Pick<PreviewCardProps, "what" | "preview" | "isUnknown">) {
  const say = useWords();
  if (isUnknown) {
    return <Note icon={<IconInfoCircle size={16} aria-hidden />}>{say("byLines.would.wrong")}</Note>;
  }
  const [draft, ...others] = preview.drafts;
  if (preview.changes.length === 0) {
    const number = preview.invoice.fullNumber;
    return <Note icon={<IconInfoCircle size={16} aria-hidden />}>{say("byLines.nothing", { number })}</Note>;
  }
  if (preview.problem) {
    const { code, message } = preview.problem;
    const isEmptyYet = code === "rectify_nothing_chosen" || code === "rectify_changes_nothing";
    return isEmptyYet ? (
      <Note icon={<IconInfoCircle size={16} aria-hidden />}>{say(nothingChosen(what))}</Note>
    ) : (
      <Note icon={<IconAlertTriangle size={16} className={shared.warn} aria-hidden />}>{message}</Note>
    );
  }
  return (
    <>
      {draft && <DraftFacts what={what} draft={draft} preview={preview} />}
      {draft && <Figures draft={draft} preview={preview} />}
      {others.map((other) => (
        <Also key={other.fullNumber} draft={other} />
      ))}
      {preview.annulled.map((number) => (
        <Note key={number} icon={<IconInfoCircle size={16} aria-hidden />}>
          {say("review.would.annul", { number })} {say("byLines.void.body")}
        </Note>
      ))}
      {draft && draft.lateAfter !== "" && (
        <Note icon={<IconInfoCircle size={16} aria-hidden />}>
          {say("review.late", { date: longDate(draft.lateAfter) })}
        </Note>
      )}
      {draft && preview.order !== null && (
        <Note icon={<IconInfoCircle size={16} aria-hidden />}>
          {say("byLines.order", { order: preview.order })}
        </Note>
      )}
      {draft && <Whole draft={draft} isFirst />}
    </>
  );
}

function Note({ icon, children }: { readonly icon: ReactNode; readonly children: ReactNode }) {
  return (
    <p className={shared.note}>
      {icon}
      <span>{children}</span>
    </p>
  );
}

interface DraftProps {
  readonly draft: LinesDraft;
  readonly preview: LinesPreview;
}

function DraftFacts({ what, draft, preview }: DraftProps & Pick<PreviewCardProps, "what">) {
  const say = useWords();
  const { invoice } = preview;
  const way = what === "substitution" ? "substitution" : "difference";
  const { company, vatNumber } = draft.recipient ?? {};
  const named = [company, vatNumber].filter(Boolean);
  return (
    <dl className={`facts ${shared.facts}`}>
      <dt>{say("byLines.would.number")}</dt>
      <dd>
        <b>{draft.fullNumber}</b>
        {say("review.would.number", { number: "" })}
      </dd>
      <dt>{say("byLines.would.type")}</dt>
      <dd>{say(`byLines.would.${way}`, { type: draft.invoiceType })}</dd>
      <dt>{say("byLines.would.rectifies")}</dt>
      <dd>{say("byLines.would.rectified", { number: invoice.fullNumber, date: date(invoice.issueDate) })}</dd>
      <dt>{say("byLines.would.customer")}</dt>
      <dd>
        {named.length === 0
          ? say("invoices.unidentified")
          : named.map((text) => <div key={text}>{text}</div>)}
      </dd>
    </dl>
  );
}

function Figures({ draft, preview }: DraftProps) {
  const say = useWords();
  const { currency, totals, groups } = draft;
  return (
    <>
      <GroupTable
        caption={say("byLines.would")}
        heads={[
          ...([taxOf(preview, say), say("byLines.would.base")] as const),
          ...([say("byLines.would.quota"), say("byLines.would.total")] as const),
        ]}
        groups={groups.map((group) => ({
          ...group,
          key: Object.values(groupKey(group)).join(" "),
          name: groupTax(group, preview, say),
        }))}
        totals={totals}
        currency={currency}
      />
      {currency !== "EUR" && (
        <Note icon={<IconInfoCircle size={16} aria-hidden />}>
          {say("review.would.total_eur")}: {money(draft.totalEur)}
        </Note>
      )}
    </>
  );
}

function groupKey({ taxCode, regime, qualification, rate, surchargeRate }: LinesDraft["groups"][number]) {
  return { taxCode, regime, qualification, rate, surchargeRate };
}

/** The rate alone where the head names the tax. */
function groupTax(group: LinesDraft["groups"][number], preview: LinesPreview, say: Say): string {
  const { taxCode: tax, regime = "", country, qualification, rate, surchargeRate } = group;
  const whole = lineTax(
    { tax, regime, country, qualification, rate, surchargeRate: surchargeRate || null },
    say,
  );
  const name = `${taxOf(preview, say)} `;
  return qualification === "S1" && whole.startsWith(name) ? whole.slice(name.length) : whole;
}

/** The full invoice that is issued with the R5 of a replaced ticket. */
function Also({ draft }: { readonly draft: LinesDraft }) {
  const say = useWords();
  return (
    <>
      <dl className={`facts ${shared.facts}`}>
        <dt>{say("byLines.would.also")}</dt>
        <dd>
          {say("review.would.number", { number: draft.fullNumber })}
          <div>{say(`invoice_type.${draft.invoiceType}`)}</div>
          <div>{money(draft.totals.total, draft.currency)}</div>
        </dd>
      </dl>
      <Whole draft={draft} />
    </>
  );
}

function Whole({ draft, isFirst = false }: { readonly draft: LinesDraft; readonly isFirst?: boolean }) {
  const say = useWords();
  const [isOpen, setOpen] = useState(false);
  return (
    <p className={shared.note}>
      <IconFileSearch size={16} aria-hidden />
      <button type="button" className={shared.link} onClick={() => setOpen(true)}>
        {say(isFirst ? "byLines.would.open" : "byLines.would.open_full")}
      </button>
      <SheetDialog draft={draft} isOpen={isOpen} close={() => setOpen(false)} />
    </p>
  );
}
