import { Button } from "@mantine/core";
import { type UseFormReturnType, useForm } from "@mantine/form";
import { DEFAULT_REGIMES } from "../../../domain/invoice/issuer.ts";
import { TERRITORIES } from "../../../domain/invoice/settings.ts";
import { answer, api } from "../../api/client.ts";
import { paths } from "../../app/paths.ts";
import { Checkbox } from "../../parts/choices.tsx";
import { Select, TextInput } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { useRefusal } from "../../parts/refusal.ts";
import { problemsByField, useSave } from "../../parts/save.ts";
import { useUnsaved } from "../../parts/unsaved.tsx";
import { useWords } from "../../words/words.tsx";
import {
  type CompanyForm,
  checksOf,
  companyOf,
  EMPTY_COMPANY,
  foralProvince,
  PrintedFields,
  territoryFor,
} from "./company-form.tsx";
import { SignInFrame } from "./frame.tsx";
import styles from "./sign-in.module.css";

type FormState = UseFormReturnType<CompanyForm>;

/** The second page of the sign-up: the company. */
export function NewCompanyPage() {
  const say = useWords();
  const form = useForm({ initialValues: EMPTY_COMPANY, validate: checksOf(say), validateInputOnBlur: true });
  const refusal = useRefusal(form);
  const save = useSave({
    send: (values: CompanyForm) => answer(api.accounts.$post({ json: companyOf(values) })),
    refresh: [["me"]],
    onSaved: ({ id }) => window.location.assign(paths.connect(id)),
    onRefused: (error) => refusal.show(problemsByField(error, say)),
  });
  useUnsaved(form.isDirty() && !save.isPending && !save.isSuccess);
  return (
    <SignInFrame title={say("company.title")} lead={say("company.lead")} isWide>
      <Form
        className={styles.form}
        refused={refusal.whole}
        onSubmit={form.onSubmit((values) => {
          refusal.clear();
          save.mutate(values);
        })}
      >
        <Identity form={form} />
        <Address form={form} />
        <Taxes form={form} />
        <Button type="submit" loading={save.isPending}>
          {say("company.button")}
        </Button>
      </Form>
    </SignInFrame>
  );
}

function Identity({ form }: { readonly form: FormState }) {
  const say = useWords();
  return (
    <>
      <TextInput
        label={say("company.name")}
        autoComplete="organization"
        {...form.getInputProps("legal_name")}
      />
      <TextInput
        label={say("company.nif")}
        maw={220}
        autoCapitalize="characters"
        {...form.getInputProps("nif")}
      />
    </>
  );
}

function Address({ form }: { readonly form: FormState }) {
  const say = useWords();
  const postcode = form.getInputProps("postcode");
  function leave() {
    postcode.onBlur?.();
    // The postcode of the domicile sets the territory until the person chooses one.
    if (!form.isTouched("territory")) form.setFieldValue("territory", territoryFor(form.values.postcode));
  }
  return (
    <>
      <TextInput
        label={say("company.address")}
        autoComplete="street-address"
        {...form.getInputProps("address1")}
      />
      <div className={styles.pair}>
        <TextInput
          label={say("company.postcode")}
          inputMode="numeric"
          autoComplete="postal-code"
          {...postcode}
          onBlur={leave}
        />
        <TextInput
          label={say("company.city")}
          autoComplete="address-level2"
          {...form.getInputProps("city")}
        />
      </div>
      <PrintedFields form={form} />
    </>
  );
}

function Taxes({ form }: { readonly form: FormState }) {
  const say = useWords();
  const isIgic = form.values.territory === "canarias";
  const province = foralProvince(form.values.postcode);
  const territories = TERRITORIES.map((value) => ({ value, label: say(`company.${value}`) }));
  const regimes = DEFAULT_REGIMES.map((value) => ({
    value,
    label: say(value === "18" && isIgic ? "company.regime.18.igic" : `company.regime.${value}`),
  }));
  return (
    <>
      <Select
        label={say("company.territory")}
        data={territories}
        allowDeselect={false}
        {...form.getInputProps("territory")}
      />
      <Select
        label={say("company.regime")}
        data={regimes}
        allowDeselect={false}
        {...form.getInputProps("default_regime")}
      />
      {province !== undefined && (
        <Checkbox
          label={say("company.foral", { province })}
          {...form.getInputProps("common_rules_apply", { type: "checkbox" })}
        />
      )}
      <Checkbox label={say("company.sii")} {...form.getInputProps("not_in_sii", { type: "checkbox" })} />
    </>
  );
}
