import { Button } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { currentLanguage } from "../../app/language.ts";
import { Checkbox } from "../../parts/choices.tsx";
import { DateField } from "../../parts/date-field.tsx";
import { Select, TextInput } from "../../parts/fields.tsx";
import { Section } from "../../parts/page-head.tsx";
import { useReadOnly } from "../../parts/read-only.tsx";
import { amount, percent } from "../../words/format.ts";
import { type Say, useWords } from "../../words/words.tsx";
import styles from "./by-hand.module.css";
import { lineAmount, nextLine, type TypedLine } from "./draft-values.ts";
import type { CardProps } from "./fields-of-draft.ts";

const KINDS = ["full", "simplified", "qualified", "no_recipient"] as const;
const UNTAXED = ["S2", "N1", "N2", "E1", "E2", "E3", "E4", "E5", "E6"] as const;
const CURRENCIES =
  "EUR USD GBP CHF SEK NOK DKK PLN CZK HUF RON TRY JPY CNY HKD SGD KRW INR AUD NZD CAD MXN BRL ZAR";
const MOST_LINES = 200;

/** What is sold: type, date, prices, currency and lines. */
export function SaleCard(props: CardProps) {
  const say = useWords();
  const isReadOnly = useReadOnly();
  const { typed, form, change, errorAt } = props;
  const set = (index: number, next: Partial<TypedLine>) =>
    change({ lines: typed.lines.map((line, at) => (at === index ? { ...line, ...next } : line)) });
  return (
    <Section title={say("hand.what")} flush>
      <SaleFields {...props} />
      {typed.lines.map((line, index) => (
        <LineFields
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place in the invoice
          key={index}
          {...{ line, index, form }}
          currency={typed.currency}
          isOnly={typed.lines.length === 1}
          errorAt={(name) =>
            errorAt(`lines.${index}.${name}`, ...(name === "description" ? [`lines.${index}`, "lines"] : []))
          }
          change={(next) => set(index, next)}
          remove={() => change({ lines: typed.lines.filter((_, at) => at !== index) })}
        />
      ))}
      {!isReadOnly && typed.lines.length < MOST_LINES && (
        <p className={styles.note}>
          <Button
            variant="subtle"
            size="sm"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => change({ lines: [...typed.lines, nextLine(typed.lines, blankLine())] })}
          >
            {say("hand.line.add")}
          </Button>
        </p>
      )}
    </Section>
  );
}

function blankLine(): TypedLine {
  return {
    ...{ description: "", quantity: "1", price_unit: "", discount_rate: "" },
    ...{ qualification: "S1", tax_rate: "", equivalence_surcharge_rate: "" },
  };
}

function SaleFields({ typed, form, change, errorAt }: CardProps) {
  const say = useWords();
  const tax = say(`hand.tax.${form.tax}`);
  return (
    <div className={`${styles.fields} ${styles.pad}`}>
      <Select
        id="kind"
        label={say("hand.kind")}
        data={KINDS.map((value) => ({ value, label: say(`hand.kind.${value}`) }))}
        value={typed.kind}
        error={errorAt("invoice_type", "documentary_regime", "documentary_flags", "simplified_attestation")}
        allowDeselect={false}
        onChange={(value) => change({ kind: KINDS.find((kind) => kind === value) ?? "full" })}
      />
      <DateField
        id="operation_date"
        label={say("hand.operation_date")}
        description={say("hand.operation_date.hint")}
        value={typed.operation_date}
        error={errorAt("operation_date")}
        clearable
        onChange={(operation_date) => change({ operation_date })}
      />
      <Select
        id="prices"
        label={say("hand.prices")}
        data={[
          { value: "without", label: say("hand.prices.without", { tax }) },
          { value: "with", label: say("hand.prices.with", { tax }) },
        ]}
        value={typed.prices_include_tax ? "with" : "without"}
        error={errorAt("prices_include_tax")}
        allowDeselect={false}
        onChange={(value) => change({ prices_include_tax: value === "with" })}
      />
      <Select
        id="currency"
        label={say("hand.currency")}
        data={CURRENCIES.split(" ")}
        value={typed.currency}
        error={errorAt("currency")}
        allowDeselect={false}
        searchable
        onChange={(currency) =>
          change({
            currency: currency ?? "EUR",
            ...(currency === "EUR" ? { exchange_rate: "", exchange_rate_date: "" } : {}),
          })
        }
      />
      {typed.currency !== "EUR" && <RateFields typed={typed} form={form} change={change} errorAt={errorAt} />}
      <SurchargeField typed={typed} form={form} change={change} />
    </div>
  );
}

/** Of an invoice in another currency: its rate, and the day of it. */
function RateFields({ typed, form, change, errorAt }: CardProps) {
  const say = useWords();
  return (
    <>
      <TextInput
        id="exchange_rate"
        label={say("hand.exchange_rate")}
        description={say("hand.exchange_rate.hint", { currency: typed.currency })}
        inputMode="decimal"
        value={typed.exchange_rate}
        error={errorAt("exchange_rate")}
        onChange={({ currentTarget }) => change({ exchange_rate: currentTarget.value })}
      />
      <DateField
        id="exchange_rate_date"
        label={say("hand.exchange_rate_date")}
        value={typed.exchange_rate_date}
        error={errorAt("exchange_rate_date")}
        max={form.today}
        onChange={(exchange_rate_date) => change({ exchange_rate_date })}
      />
    </>
  );
}

/** The surcharge of each rate is the law's: the person only says that the customer is under it. */
function SurchargeField({ typed, form, change }: Pick<CardProps, "typed" | "form" | "change">) {
  const say = useWords();
  if (form.tax !== "01") return null;
  const isOn = typed.lines.some((line) => line.equivalence_surcharge_rate !== "");
  return (
    <Checkbox
      id="surcharge"
      className={styles.box ?? ""}
      label={say("hand.surcharge")}
      checked={isOn}
      onChange={({ currentTarget }) => {
        const { checked } = currentTarget;
        change({ lines: typed.lines.map((line) => surcharged(line, checked, form)) });
      }}
    />
  );
}

function surcharged(line: TypedLine, isOn: boolean, form: CardProps["form"]): TypedLine {
  const own = form.rates.find(({ rate }) => rate === line.tax_rate)?.surcharges[0] ?? "";
  const isTaxed = line.qualification === "S1";
  return { ...line, equivalence_surcharge_rate: isOn && isTaxed ? own : "" };
}

interface LineFieldsProps extends Pick<CardProps, "form"> {
  readonly line: TypedLine;
  readonly index: number;
  readonly currency: string;
  readonly isOnly: boolean;
  readonly errorAt: (name: string) => string | undefined;
  readonly change: (next: Partial<TypedLine>) => void;
  readonly remove: () => void;
}

function LineFields({ line, index, form, currency, isOnly, errorAt, change, remove }: LineFieldsProps) {
  const say = useWords();
  const isReadOnly = useReadOnly();
  const net = lineAmount(line, currentLanguage());
  const n = index + 1;
  const number = (name: "quantity" | "price_unit" | "discount_rate", label: string) => (
    <TextInput
      id={`line-${n}-${name}`}
      className={styles.figure ?? ""}
      label={label}
      inputMode="decimal"
      value={line[name]}
      error={errorAt(name)}
      onChange={({ currentTarget }) => change({ ...line, [name]: currentTarget.value })}
    />
  );
  return (
    <fieldset className={styles.line}>
      <legend className="hidden">{say("hand.line", { n })}</legend>
      <TextInput
        id={`line-${n}-description`}
        label={say("hand.line.description")}
        maxLength={1_000}
        value={line.description}
        error={errorAt("description")}
        onChange={({ currentTarget }) => change({ description: currentTarget.value })}
      />
      <div className={styles.figures}>
        {number("quantity", say("hand.line.quantity"))}
        {number("price_unit", say("hand.line.price"))}
        {number("discount_rate", say("hand.line.discount"))}
        <TaxField {...{ line, n, form, change }} error={errorAt("tax_rate") ?? errorAt("qualification")} />
        <p className={styles.net}>
          <span>{say("hand.line.amount")}</span>
          <b>{net === undefined ? "—" : amount(net, currency)}</b>
        </p>
        {!isReadOnly && !isOnly && (
          <Button
            variant="subtle"
            color="gray"
            className={styles.remove ?? ""}
            aria-label={say("hand.line.remove", { n })}
            onClick={remove}
          >
            <IconTrash size={18} aria-hidden />
          </Button>
        )}
      </div>
    </fieldset>
  );
}

interface TaxFieldProps extends Pick<LineFieldsProps, "line" | "form" | "change"> {
  readonly n: number;
  readonly error: string | undefined;
}

/** Rate or exemption, in one choice. */
function TaxField({ line, n, form, change, error }: TaxFieldProps) {
  const say = useWords();
  const choices = taxChoices(form, say);
  const current = keyOf(line);
  return (
    <Select
      id={`line-${n}-tax`}
      className={styles.tax ?? ""}
      label={say("hand.line.tax")}
      data={choices.map(({ key, label }) => ({ value: key, label }))}
      value={choices.some(({ key }) => key === current) ? current : null}
      error={error}
      allowDeselect={false}
      onChange={(key) => {
        const chosen = choices.find((one) => one.key === key);
        if (!chosen) return;
        const next = { ...line, qualification: chosen.qualification, tax_rate: chosen.tax_rate };
        change(surcharged(next, line.equivalence_surcharge_rate !== "", form));
      }}
    />
  );
}

function keyOf({ qualification, tax_rate }: Pick<TypedLine, "qualification" | "tax_rate">): string {
  return qualification === "S1" ? `S1 ${tax_rate}` : qualification;
}

function taxChoices(form: CardProps["form"], say: Say) {
  const name = say(`hand.tax.${form.tax}`);
  const taxed = form.rates.map(({ rate }) => {
    const line = { qualification: "S1", tax_rate: rate } as const;
    return { ...line, key: keyOf(line), label: `${name} ${percent(rate)}` };
  });
  const others = UNTAXED.map((qualification) => {
    const line = { qualification, tax_rate: "" } as const;
    return { ...line, key: keyOf(line), label: say(`hand.qualification.${qualification}`) };
  });
  return [...taxed, ...others];
}
