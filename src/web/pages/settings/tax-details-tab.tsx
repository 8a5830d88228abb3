import { DEFAULT_REGIMES } from "../../../domain/invoice/issuer.ts";
import { answer } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { Checkbox } from "../../parts/choices.tsx";
import { Select, TextInput } from "../../parts/fields.tsx";
import { Section } from "../../parts/page-head.tsx";
import { ReadOnly } from "../../parts/read-only.tsx";
import { type Say, useWords } from "../../words/words.tsx";
import {
  type CompanyForm,
  foralProvince,
  PRINTED_DETAILS,
  PrintedFields,
  printedIn,
} from "../sign-in/company-form.tsx";
import { type CompanySettings, ofAccount } from "./queries.ts";
import styles from "./settings.module.css";
import { useVersionedForm, VersionedForm } from "./versioned-form.tsx";

type Details = Omit<CompanyForm, "nif" | "territory" | "not_in_sii">;

/** The issuer: name and domicile may change; NIF and tax are permanent. */
export function TaxDetailsTab({ company }: { readonly company: CompanySettings }) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  const state = useDetails(company);
  const { form } = state;
  const province = foralProvince(form.values.postcode);
  return (
    <VersionedForm
      state={state}
      changesIn={(before, after) => changesIn(before, after, company, say)}
      note={say("company.change.note")}
    >
      <Section title={say("company.tab.details")}>
        <ReadOnly isReadOnly={isReadOnly}>
          <div className={styles.fields}>
            <Identity company={company} />
            <TextInput
              id="legal_name"
              className={styles.wide ?? ""}
              label={say("company.name")}
              {...form.getInputProps("legal_name")}
            />
            <TextInput
              id="address1"
              className={styles.wide ?? ""}
              label={say("company.address")}
              {...form.getInputProps("address1")}
            />
            <TextInput
              id="postcode"
              label={say("company.postcode")}
              inputMode="numeric"
              {...form.getInputProps("postcode")}
            />
            <TextInput id="city" label={say("company.city")} {...form.getInputProps("city")} />
            <Select
              className={styles.wide ?? ""}
              label={say("company.regime")}
              allowDeselect={false}
              data={DEFAULT_REGIMES.map((value) => ({
                value,
                label: regimeName(value, company.territory, say),
              }))}
              {...form.getInputProps("default_regime")}
            />
            <PrintedFields form={form} className={styles.wide ?? ""} />
            {province !== undefined && (
              <Checkbox
                className={styles.wide ?? ""}
                label={say("company.foral", { province })}
                {...form.getInputProps("common_rules_apply", { type: "checkbox" })}
              />
            )}
          </div>
        </ReadOnly>
      </Section>
    </VersionedForm>
  );
}

function Identity({ company }: { readonly company: CompanySettings }) {
  const say = useWords();
  return (
    <dl className={`facts ${styles.wide}`}>
      <dt>{say("company.nif")}</dt>
      <dd>{company.nif}</dd>
      <dt>{say("company.territory")}</dt>
      <dd>{say(`company.${company.territory}`)}</dd>
      <dt />
      <dd className="muted small">{say("company.fixed")}</dd>
    </dl>
  );
}

function regimeName(value: Details["default_regime"], territory: string, say: Say) {
  const isIgic = territory === "canarias";
  return say(value === "18" && isIgic ? "company.regime.18.igic" : `company.regime.${value}`);
}

function useDetails(company: CompanySettings) {
  const say = useWords();
  const { account } = useCompany();
  const required = (field: string) => (value: string) =>
    value.trim() ? null : say("form.required", { field });
  return useVersionedForm<Details>({
    read: { version: company.version, values: detailsOf(company) },
    validate: {
      legal_name: required(say("company.name.the")),
      address1: required(say("company.address.the")),
      city: required(say("company.city.the")),
    },
    put: (values, version) =>
      answer(ofAccount.company.$put({ param: { account: account.id }, json: { ...values, version } })),
    said: say("saved_applies"),
    refresh: [["me"], ["setup"]],
  });
}

const NAMES = [
  { name: "legal_name", word: "company.name" },
  { name: "address1", word: "company.address" },
  { name: "postcode", word: "company.postcode" },
  { name: "city", word: "company.city" },
  { name: "default_regime", word: "company.regime" },
  ...PRINTED_DETAILS.map(({ name, short: word }) => ({ name, word })),
] as const;

/** Another user's changes in words. */
function changesIn(before: Details, after: Details, { territory }: CompanySettings, say: Say) {
  const textOf = (details: Details, name: (typeof NAMES)[number]["name"]) =>
    name === "default_regime" ? regimeName(details[name], territory, say) : details[name] || "—";
  return NAMES.filter(({ name }) => before[name] !== after[name]).map(({ name, word }) => ({
    ...{ what: say(word), before: textOf(before, name), after: textOf(after, name) },
  }));
}

function detailsOf(company: CompanySettings): Details {
  const { legalName, address1, postcode, city, defaultRegime } = company;
  const regime = DEFAULT_REGIMES.find((one) => one === defaultRegime) ?? "01";
  return {
    ...{ legal_name: legalName, address1, postcode, city, default_regime: regime },
    ...printedIn(company),
    common_rules_apply: foralProvince(postcode) !== undefined,
  };
}
