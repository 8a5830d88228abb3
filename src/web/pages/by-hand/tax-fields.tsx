import { Checkbox } from "../../parts/choices.tsx";
import { Select, TextInput } from "../../parts/fields.tsx";
import { countryName, percent } from "../../words/format.ts";
import { type Say, useWords } from "../../words/words.tsx";
import styles from "./by-hand.module.css";
import type { Typed, TypedLine } from "./draft-values.ts";
import type { CardProps } from "./fields-of-draft.ts";

type Form = CardProps["form"];

const UNTAXED = ["S2", "N1", "N2", "E1", "E2", "E3", "E4", "E5", "E6"] as const;
const MARGIN_SCHEMES = ["03", "05"] as const;
const ONE_STOP_SHOP = "17";

/** The surcharge of each rate is the law's: the person only says that the customer is under it. */
export function SurchargeField({ typed, form, change }: Pick<CardProps, "typed" | "form" | "change">) {
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
  return { ...line, equivalence_surcharge_rate: isOn && isTaxed && line.regime === "" ? own : "" };
}

/** A sale to consumers of another state, taxed at its rates through the one stop shop. */
export function DestinationField({ typed, form, change, errorAt }: CardProps) {
  const say = useWords();
  const { states } = form.special;
  if (states.length === 0) return null;
  return (
    <Select
      id="destination"
      label={say("hand.oss")}
      description={say("hand.oss.hint")}
      data={[
        { value: "", label: say("hand.oss.none") },
        ...states.map(({ state }) => ({ value: state as string, label: stateName(state, say) })),
      ]}
      value={typed.delivery.country}
      error={errorAt("delivery", "delivery.country")}
      allowDeselect={false}
      searchable
      onChange={(country) => {
        const to = country ?? "";
        change({ delivery: { country: to }, lines: typed.lines.map((line) => movedTo(to, line, form)) });
      }}
    />
  );
}

/** A taxed line takes a rate of the state, and the company's own once there is none. */
function movedTo(country: string, line: TypedLine, form: Form): TypedLine {
  const state = form.special.states.find((one) => one.state === country);
  const isOss = line.regime === ONE_STOP_SHOP;
  if (!state) {
    const own = { qualification: "S1", regime: "", tax_rate: form.rates[0]?.rate ?? "" } as const;
    return isOss ? { ...line, ...own } : line;
  }
  if (!isOss && (line.qualification !== "S1" || line.regime !== "")) return line;
  const rate = state.rates.find((one) => one === line.tax_rate) ?? state.standard;
  return {
    ...{ ...line, qualification: "N2", regime: ONE_STOP_SHOP, tax_rate: rate },
    equivalence_surcharge_rate: "",
  };
}

function stateName(state: string, say: Say): string {
  return state === "XI" ? say("hand.oss.northern_ireland") : countryName(state);
}

interface TaxFieldProps {
  readonly line: TypedLine;
  readonly n: number;
  readonly form: Form;
  readonly country: string;
  readonly error: string | undefined;
  readonly change: (next: TypedLine, sale?: Partial<Typed>) => void;
}

/** Rate, exemption or special regime, in one choice. */
export function TaxField({ line, n, form, country, change, error }: TaxFieldProps) {
  const say = useWords();
  const choices = taxChoices(form, country, say);
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
        const { qualification, tax_rate, regime } = chosen;
        const isOfMargin = isMarginScheme(regime);
        const margin = isOfMargin ? line.taxable_margin : "";
        const next = { ...line, qualification, tax_rate, regime, taxable_margin: margin };
        // The tax of the margin is never shown apart (article 138 LIVA): the prices have it.
        const sale = isOfMargin ? { prices_include_tax: true } : undefined;
        change(surcharged(next, line.equivalence_surcharge_rate !== "", form), sale);
      }}
    />
  );
}

function isMarginScheme(regime: string): boolean {
  return MARGIN_SCHEMES.some((one) => one === regime);
}

interface MarginFieldProps extends Pick<TaxFieldProps, "line" | "n" | "form" | "error"> {
  readonly change: (next: Partial<TypedLine>) => void;
}

/** The amount that a line of the margin scheme is taxed on (articles 137 and 145 LIVA). */
export function MarginField({ line, n, form, error, change }: MarginFieldProps) {
  const say = useWords();
  if (!isMarginScheme(line.regime)) return null;
  return (
    <TextInput
      id={`line-${n}-taxable_margin`}
      label={say("hand.margin", { tax: say(`hand.tax.${form.tax}`) })}
      description={say("hand.margin.hint")}
      inputMode="decimal"
      value={line.taxable_margin}
      error={error}
      onChange={({ currentTarget }) => change({ taxable_margin: currentTarget.value })}
    />
  );
}

type Taxed = Pick<TypedLine, "qualification" | "tax_rate" | "regime">;

function keyOf({ qualification, tax_rate, regime }: Taxed): string {
  if (regime !== "") return `${regime} ${tax_rate}`;
  return qualification === "S1" ? `S1 ${tax_rate}` : qualification;
}

function taxChoices({ tax, rates, special }: Form, country: string, say: Say) {
  const name = say(`hand.tax.${tax}`);
  const choice = (line: Taxed, label: string) => ({ ...line, key: keyOf(line), label });
  const own = rates.map(({ rate }) =>
    choice({ qualification: "S1", tax_rate: rate, regime: "" }, `${name} ${percent(rate)}`),
  );
  const state = special.states.find((one) => one.state === country);
  const abroad = (state?.rates ?? []).map((rate) =>
    choice(
      { qualification: "N2", tax_rate: rate, regime: ONE_STOP_SHOP },
      say("hand.tax.oss", { country: stateName(country, say), rate: percent(rate) }),
    ),
  );
  const untaxed = UNTAXED.map((qualification) =>
    choice({ qualification, tax_rate: "", regime: "" }, say(`hand.qualification.${qualification}`)),
  );
  const margins = MARGIN_SCHEMES.filter((regime) => special.regimes.includes(regime)).flatMap((regime) =>
    rates
      .filter(({ rate }) => rate !== "0")
      .map(({ rate }) =>
        choice(
          { qualification: "S1", tax_rate: rate, regime },
          say(`hand.margin.${regime}`, { tax: name, rate: percent(rate) }),
        ),
      ),
  );
  return [...abroad, ...own, ...untaxed, ...margins];
}
