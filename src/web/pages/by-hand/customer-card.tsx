import { CountrySelect } from "../../parts/country-select.tsx";
import { Select, TextInput } from "../../parts/fields.tsx";
import { Section } from "../../parts/page-head.tsx";
import { useWords } from "../../words/words.tsx";
import styles from "./by-hand.module.css";
import type { CardProps } from "./fields-of-draft.ts";

const ID_TYPES = ["02", "03", "04", "05", "06", "07"] as const;
const LONGEST = { company: 255, vat_number: 64, address1: 255, postcode: 20, city: 100, email: 254 } as const;
const WIDE = new Set(["company", "address1", "email"]);

/** The recipient; a simplified invoice needs none. */
export function CustomerCard({ typed, change, errorAt }: CardProps) {
  const say = useWords();
  const { recipient } = typed;
  const set = (next: Partial<typeof recipient>) => change({ recipient: { ...recipient, ...next } });
  const field = (name: keyof typeof LONGEST) => (
    <TextInput
      id={`recipient-${name}`}
      className={WIDE.has(name) ? (styles.wide ?? "") : ""}
      label={say(`hand.${name}`)}
      maxLength={LONGEST[name]}
      value={recipient[name]}
      error={errorAt(`recipient.${name}`, ...(name === "company" ? ["recipient"] : []))}
      onChange={({ currentTarget }) => set({ ...recipient, [name]: currentTarget.value })}
    />
  );
  return (
    <Section title={say("hand.customer")}>
      <div className={styles.fields}>
        {field("company")}
        {field("vat_number")}
        <CountrySelect
          label={say("hand.country")}
          value={recipient.country}
          error={errorAt("recipient.country")}
          onChange={(country) => set({ country })}
        />
        {recipient.country !== "ES" && (
          <Select
            label={say("amend.id_type")}
            data={[
              { value: "", label: say("amend.id_type.none") },
              ...ID_TYPES.map((value) => ({ value, label: say(`amend.id_type.${value}`) })),
            ]}
            value={recipient.id_type}
            error={errorAt("recipient.id_type")}
            allowDeselect={false}
            onChange={(value) => set({ id_type: value ?? "" })}
          />
        )}
        {field("address1")}
        {field("postcode")}
        {field("city")}
        {field("email")}
      </div>
    </Section>
  );
}
