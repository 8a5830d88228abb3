import { Alert } from "@mantine/core";
import { Checkbox } from "../../parts/choices.tsx";
import { CountrySelect } from "../../parts/country-select.tsx";
import { Select, TextInput } from "../../parts/fields.tsx";
import { useWords } from "../../words/words.tsx";
import styles from "./invoices.module.css";

/** The correct recipient of the invoice; an empty text states nothing. */
export interface RightRecipient {
  company: string;
  vat_number: string;
  country: string;
  id_type: string | null;
  address1: string;
  postcode: string;
  city: string;
}

export const NOBODY: RightRecipient = {
  ...{ company: "", vat_number: "", country: "ES", id_type: null },
  ...{ address1: "", postcode: "", city: "" },
};

/** As the API takes it: members with a text. */
export function recipientBody({ id_type, ...texts }: RightRecipient) {
  const entries = Object.entries(texts).flatMap(([name, text]) =>
    text.trim() === "" ? [] : [[name, text.trim()]],
  );
  const stated: Partial<Record<keyof typeof texts, string>> = Object.fromEntries(entries);
  // The select offers no other.
  return { ...stated, ...(id_type ? { id_type: id_type as IdType } : {}) };
}

interface RightRecipientProps {
  readonly method: "difference" | "substitution";
  /** The initial values of the fields. */
  readonly begin: RightRecipient;
  readonly value: RightRecipient | undefined;
  readonly errors: Readonly<Record<string, unknown>>;
  readonly onChange: (value: RightRecipient | undefined) => void;
}

/** An invoice to the wrong person is issued again, to the right one; the right one may be named better. */
export function RightRecipientFields({ method, begin, value, errors, onChange }: RightRecipientProps) {
  const say = useWords();
  const field = (name: Exclude<keyof RightRecipient, "id_type">) => ({
    id: `recipient.${name}`,
    value: value?.[name] ?? "",
    error: messageIn(errors[`recipient.${name}`]),
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onChange({ ...NOBODY, ...value, [name]: currentTarget.value }),
  });
  return (
    <>
      <Checkbox
        label={say(`rectify.other.${method}`)}
        description={say(`rectify.other.${method}.hint`)}
        checked={value !== undefined}
        onChange={({ currentTarget: { checked } }) => onChange(checked ? begin : undefined)}
      />
      {value && (
        <fieldset className={styles.whose}>
          <legend>{say(`rectify.other.${method}.legend`)}</legend>
          {messageIn(errors.recipient) && (
            <Alert color="red" variant="light" role="alert" mb={12}>
              {messageIn(errors.recipient)}
            </Alert>
          )}
          <div className={styles.pair}>
            <TextInput label={say("amend.customer")} maxLength={255} {...field("company")} />
            <TextInput label={say("amend.vat")} maxLength={64} {...field("vat_number")} />
            <Select
              label={say("amend.id_type")}
              placeholder={say("amend.id_type.none")}
              data={ID_TYPES.map((type) => ({ value: type, label: say(`amend.id_type.${type}`) }))}
              clearable
              value={value.id_type}
              error={messageIn(errors["recipient.id_type"])}
              onChange={(id_type) => onChange({ ...value, id_type })}
            />
            <CountrySelect
              label={say("amend.country")}
              value={value.country}
              error={messageIn(errors["recipient.country"])}
              onChange={(country) => onChange({ ...value, country })}
            />
            <TextInput label={say("rectify.address")} maxLength={255} {...field("address1")} />
            <TextInput label={say("rectify.city")} maxLength={100} {...field("city")} />
            <TextInput label={say("rectify.postcode")} maxLength={20} maw={140} {...field("postcode")} />
          </div>
        </fieldset>
      )}
    </>
  );
}

function messageIn(error: unknown): string | undefined {
  return typeof error === "string" ? error : undefined;
}

/** Identifier types of list L7 of the AEAT that must be chosen: not a NIF, and not implied by the country. */
export const ID_TYPES = ["02", "03", "04", "05", "06", "07"] as const;
export type IdType = (typeof ID_TYPES)[number];
