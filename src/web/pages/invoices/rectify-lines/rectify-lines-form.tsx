import { Button } from "@mantine/core";
import { useNavigate } from "react-router";
import { paths } from "../../../app/paths.ts";
import { useCompany } from "../../../app/session.tsx";
import { Radio } from "../../../parts/choices.tsx";
import { TextInput } from "../../../parts/fields.tsx";
import { Form } from "../../../parts/form.tsx";
import { Section } from "../../../parts/page-head.tsx";
import shared from "../../../parts/preview.module.css";
import { money } from "../../../words/format.ts";
import { useWords } from "../../../words/words.tsx";
import type { InvoiceDetail } from "../invoice-queries.ts";
import { LineTable } from "./line-table.tsx";
import type { LinesPreview, SaleChange } from "./lines-queries.ts";
import { PreviewCard } from "./preview-card.tsx";
import styles from "./rectify-lines.module.css";
import { useLinesForm } from "./use-lines-form.ts";

export interface RectifyLinesFormProps {
  readonly invoice: InvoiceDetail;
  /** With nothing chosen yet. */
  readonly first: LinesPreview;
  readonly what: SaleChange;
}

export function RectifyLinesForm(props: RectifyLinesFormProps) {
  const { invoice } = props;
  const { account } = useCompany();
  const form = useLinesForm(props);
  const { values, live, problems, change } = form;
  const { preview } = live;
  const isVoid = values.what === "void";
  return (
    <Form className={styles.form} refused={form.refused} onSubmit={form.send}>
      <div className={`${shared.beside} ${styles.columns}`}>
        <div className="stack">
          <WhatHappened changes={preview.changes} value={values.what} choose={form.choose} />
          {!isVoid && (
            <LineTable
              values={values}
              preview={preview}
              isFading={live.isLoading}
              isUnknown={live.isUnknown}
              problems={problems}
              setQuantity={form.setQuantity}
              setAmount={form.setAmount}
              takeEverything={form.takeEverything}
            />
          )}
          <CauseCard
            isVoid={isVoid}
            value={values.cause}
            error={problems.cause}
            onChange={(cause) => change({ cause }, "cause")}
          />
        </div>
        <PreviewCard
          what={values.what}
          preview={preview}
          isFading={live.isLoading}
          isUnknown={live.isUnknown}
          error={live.error}
          retry={live.retry}
        />
      </div>
      <Dock
        invoice={invoice}
        what={values.what}
        total={live.isCurrent ? preview.total : null}
        currency={preview.invoice.currency}
        back={paths.invoice(account.id, invoice.id)}
        isBusy={form.isBusy}
      />
    </Form>
  );
}

interface WhatHappenedProps {
  readonly changes: readonly SaleChange[];
  readonly value: SaleChange;
  readonly choose: (what: SaleChange) => void;
}

function WhatHappened({ changes, value, choose }: WhatHappenedProps) {
  const say = useWords();
  return (
    <Section title={say("byLines.what")}>
      <Radio.Group
        aria-label={say("byLines.what")}
        value={value}
        onChange={(chosen) => choose(changes.find((one) => one === chosen) ?? value)}
      >
        <div className={styles.options}>
          {changes.map((change) => (
            <Radio.Card key={change} value={change} className={styles.option ?? ""}>
              <Radio.Indicator />
              <div>
                <b>{say(`byLines.what.${change}`)}</b>
                <span>{say(`byLines.what.${change}.hint`)}</span>
              </div>
            </Radio.Card>
          ))}
        </div>
      </Radio.Group>
    </Section>
  );
}

interface CauseCardProps {
  readonly isVoid: boolean;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (typed: string) => void;
}

/** Article 15.5 RD 1619/2012: the cause is printed. The reason of an annulment is only kept. */
function CauseCard({ isVoid, value, error, onChange }: CauseCardProps) {
  const say = useWords();
  return (
    <div className={styles.cause}>
      <TextInput
        label={say(isVoid ? "byLines.void.reason" : "byLines.reason")}
        description={say(isVoid ? "byLines.void.reason.hint" : "byLines.reason.hint")}
        value={value}
        error={error}
        maxLength={500}
        autoComplete="off"
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </div>
  );
}

interface DockProps {
  readonly invoice: InvoiceDetail;
  readonly what: SaleChange;
  readonly total: string | null;
  readonly currency: string;
  readonly back: string;
  readonly isBusy: boolean;
}

function Dock({ invoice, what, total, currency, back, isBusy }: DockProps) {
  const say = useWords();
  const go = useNavigate();
  const isVoid = what === "void";
  const verb =
    total === null ? say("byLines.issue.plain") : say("byLines.issue", { amount: money(total, currency) });
  return (
    <div className={styles.dock}>
      <Button className={styles.cancel ?? ""} variant="subtle" color="gray" onClick={() => void go(back)}>
        {say("cancel")}
      </Button>
      <span className={`muted small ${styles.firm}`}>
        {say(isVoid ? "byLines.firm.void" : "byLines.firm.dock")}
      </span>
      <div className={styles.send}>
        <Button type="submit" loading={isBusy} {...(isVoid ? { className: shared.danger ?? "" } : {})}>
          {isVoid ? say("act.cancel.button", { number: invoice.fullNumber }) : verb}
        </Button>
      </div>
    </div>
  );
}
