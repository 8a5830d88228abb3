import { Button } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { currentLanguage } from "../../app/language.ts";
import { DateField } from "../../parts/date-field.tsx";
import { Select, TextInput } from "../../parts/fields.tsx";
import { Section } from "../../parts/page-head.tsx";
import { useReadOnly } from "../../parts/read-only.tsx";
import { amount } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import styles from "./by-hand.module.css";
import { lineAmount, nextLine, type Typed, type TypedLine } from "./draft-values.ts";
import type { CardProps } from "./fields-of-draft.ts";
import { DestinationField, MarginField, SurchargeField, TaxField } from "./tax-fields.tsx";

const KINDS = ["full", "simplified", "qualified", "no_recipient"] as const;
const CURRENCIES =
  "EUR USD GBP CHF SEK NOK DKK PLN CZK HUF RON TRY JPY CNY HKD SGD KRW INR AUD NZD CAD MXN BRL ZAR";
const MOST_LINES = 200;

/** What is sold: type, date, prices, currency and lines. */
export function SaleCard(props: CardProps) {
  const say = useWords();
  const isReadOnly = useReadOnly();
  const { typed, form, change, errorAt } = props;
  const set = (index: number, next: Partial<TypedLine>, sale: Partial<Typed> = {}) =>
    change({ ...sale, lines: typed.lines.map((line, at) => (at === index ? { ...line, ...next } : line)) });
  return (
    <Section title={say("hand.what")} flush>
      <SaleFields {...props} />
      {typed.lines.map((line, index) => (
        <LineFields
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place in the invoice
          key={index}
          {...{ line, index, form }}
          currency={typed.currency}
          country={typed.delivery.country}
          isOnly={typed.lines.length === 1}
          errorAt={(name) =>
            errorAt(`lines.${index}.${name}`, ...(name === "description" ? [`lines.${index}`, "lines"] : []))
          }
          change={(next, sale) => set(index, next, sale)}
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
    ...{ qualification: "S1", tax_rate: "", equivalence_surcharge_rate: "", regime: "", taxable_margin: "" },
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
      <DestinationField {...{ typed, form, change, errorAt }} />
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

interface LineFieldsProps extends Pick<CardProps, "form"> {
  readonly line: TypedLine;
  readonly index: number;
  readonly currency: string;
  readonly country: string;
  readonly isOnly: boolean;
  readonly errorAt: (name: string) => string | undefined;
  readonly change: (next: Partial<TypedLine>, sale?: Partial<Typed>) => void;
  readonly remove: () => void;
}

function LineFields(props: LineFieldsProps) {
  const { line, index, form, currency, country, isOnly, errorAt, change, remove } = props;
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
        <TaxField
          {...{ line, n, form, country, change }}
          error={errorAt("tax_rate") ?? errorAt("qualification") ?? errorAt("regime")}
        />
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
      <MarginField {...{ line, n, form, change }} error={errorAt("taxable_margin")} />
    </fieldset>
  );
}
