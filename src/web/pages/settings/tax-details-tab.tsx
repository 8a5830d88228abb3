import { Button, Checkbox, Select, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { answer } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { FormSummary } from "../../parts/form-summary.tsx";
import { NewerNotice, useNewer } from "../../parts/newer.tsx";
import { Section } from "../../parts/page-head.tsx";
import { problemsByField, useSave } from "../../parts/save.ts";
import { type Say, useWords } from "../../words/words.tsx";
import { foralProvince, REGIMES } from "../sign-in/company-form.ts";
import { type CompanySettings, companyKey, ofAccount } from "./queries.ts";
import styles from "./settings.module.css";

interface Details {
  legal_name: string;
  address1: string;
  postcode: string;
  city: string;
  default_regime: (typeof REGIMES)[number];
  registry: string;
  common_rules_apply: boolean;
}

/** The issuer: name and domicile may change; NIF and tax are permanent. */
export function TaxDetailsTab({ company }: { readonly company: CompanySettings }) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  const { form, problems, save, newer } = useDetails(company);
  const province = foralProvince(form.values.postcode);
  return (
    <form className={styles.form} noValidate onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <NewerNotice
        newer={newer}
        changes={newer.before ? changesIn(newer.before, newer.base.values, company, say) : []}
      />
      <FormSummary problems={problems} />
      <Section title={say("company.tab.details")}>
        <fieldset
          disabled={isReadOnly}
          className={styles.fields}
          style={{ border: 0, margin: 0, padding: 0 }}
        >
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
            data={REGIMES.map((value) => ({ value, label: regimeName(value, company.territory, say) }))}
            {...form.getInputProps("default_regime")}
          />
          <TextInput
            id="registry"
            className={styles.wide ?? ""}
            label={say("company.registry")}
            description={form.errors.registry ? undefined : say("company.registry.hint")}
            inputWrapperOrder={["label", "input", "error", "description"]}
            maxLength={250}
            {...form.getInputProps("registry")}
          />
          {province !== undefined && (
            <Checkbox
              className={styles.wide ?? ""}
              label={say("company.foral", { province })}
              {...form.getInputProps("common_rules_apply", { type: "checkbox" })}
            />
          )}
        </fieldset>
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
    </form>
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
  const [problems, setProblems] = useState<readonly { field: string; message: string }[]>([]);
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
    onSaved: () => {
      setProblems([]);
      newer.saved();
    },
    onRefused: (error) => {
      if (newer.isRefusedBy(error)) return setProblems([]);
      const found = problemsByField(error, say);
      form.setErrors(found);
      setProblems(Object.entries(found).map(([field, message]) => ({ field, message })));
    },
  });
  return { form, problems, save, newer };
}

const NAMES = {
  legal_name: "company.name",
  address1: "company.address",
  postcode: "company.postcode",
  city: "company.city",
  default_regime: "company.regime",
  registry: "company.registry.short",
} as const;

/** Another user's changes in words. */
function changesIn(before: Details, after: Details, { territory }: CompanySettings, say: Say) {
  // Its keys are the names of the record.
  const names = Object.keys(NAMES) as (keyof typeof NAMES)[];
  const told = (details: Details, name: keyof typeof NAMES) =>
    name === "default_regime" ? regimeName(details[name], territory, say) : details[name] || "—";
  return names
    .filter((name) => before[name] !== after[name])
    .map((name) => ({ what: say(NAMES[name]), before: told(before, name), after: told(after, name) }));
}

function detailsOf(company: CompanySettings): Details {
  const { legalName, address1, postcode, city, defaultRegime, registry = "" } = company;
  const regime = REGIMES.find((one) => one === defaultRegime) ?? "01";
  return {
    ...{ legal_name: legalName, address1, postcode, city, default_regime: regime, registry },
    common_rules_apply: foralProvince(postcode) !== undefined,
  };
}
