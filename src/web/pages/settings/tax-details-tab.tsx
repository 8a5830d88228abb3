import { Button } from "@mantine/core";
import { useForm } from "@mantine/form";
import { DEFAULT_REGIMES } from "../../../domain/invoice/issuer.ts";
import { answer } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { Checkbox } from "../../parts/choices.tsx";
import { Select, TextInput } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { NewerNotice, useNewer } from "../../parts/newer.tsx";
import { Section } from "../../parts/page-head.tsx";
import { ReadOnly } from "../../parts/read-only.tsx";
import { useRefusal } from "../../parts/refusal.ts";
import { problemsByField, useSave } from "../../parts/save.ts";
import { type Say, useWords } from "../../words/words.tsx";
import {
  type CompanyForm,
  foralProvince,
  PRINTED_DETAILS,
  PrintedFields,
  printedIn,
} from "../sign-in/company-form.tsx";
import { type CompanySettings, companyKey, ofAccount } from "./queries.ts";
import styles from "./settings.module.css";

type Details = Omit<CompanyForm, "nif" | "territory" | "not_in_sii">;

/** The issuer: name and domicile may change; NIF and tax are permanent. */
export function TaxDetailsTab({ company }: { readonly company: CompanySettings }) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  const { form, refusal, save, newer } = useDetails(company);
  const province = foralProvince(form.values.postcode);
  return (
    <Form
      className={styles.form}
      refused={refusal.whole}
      onSubmit={form.onSubmit((values) => {
        refusal.clear();
        save.mutate(values);
      })}
    >
      <NewerNotice
        newer={newer}
        changes={newer.before ? changesIn(newer.before, newer.base.values, company, say) : []}
      />
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
      {!isReadOnly && newer.isDirty && (
        <div className={styles.dock}>
          <p className="muted small">{say("company.change.note")}</p>
          <div className={styles.dockActs}>
            <Button variant="subtle" color="gray" onClick={() => form.setValues(newer.base.values)}>
              {say("cancel")}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {say("save")}
            </Button>
          </div>
        </div>
      )}
    </Form>
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
  const form = useForm<Details>({
    initialValues: detailsOf(company),
    validate: {
      legal_name: required(say("company.name.the")),
      address1: required(say("company.address.the")),
      city: required(say("company.city.the")),
    },
    validateInputOnBlur: true,
  });
  const refusal = useRefusal(form);
  const newer = useNewer<Details>({
    read: { version: company.version, values: detailsOf(company) },
    ...{ typed: form.values, take: form.setValues },
    readAgain: companyKey(account.id),
  });
  const save = useSave({
    send: (values: Details) =>
      newer.send((version) =>
        answer(
          ofAccount.company.$put({
            param: { account: account.id },
            json: { ...values, version },
          }),
        ),
      ),
    refresh: [companyKey(account.id), ["me"], ["setup"]],
    said: say("saved_applies"),
    onSaved: () => newer.saved(),
    onRefused: (error) => {
      if (!newer.isRefusedBy(error)) refusal.show(problemsByField(error, say));
    },
  });
  return { form, refusal, save, newer };
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
