import { DateField } from "../../parts/date-field.tsx";
import { Select, TextInput } from "../../parts/fields.tsx";
import { Section } from "../../parts/page-head.tsx";
import { Textarea } from "../../parts/text-fields.tsx";
import { percent } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import styles from "./by-hand.module.css";
import type { CardProps } from "./fields-of-draft.ts";

const WITHHELD = ["15", "7", "19", "2", "1"] as const;
const MEANS = ["transfer", "card", "cash", "cheque", "other"] as const;

/** How and when it is paid, what is withheld, and the text of the whole. */
export function TermsCard({ typed, form, change, errorAt }: CardProps) {
  const say = useWords();
  const { payment, withholding } = typed;
  const { usual } = form;
  const none = usual.means === "" ? "hand.means.none" : "hand.means.usual";
  return (
    <Section title={say("hand.payment")}>
      <div className={styles.fields}>
        <Select
          id="withholding"
          label={say("hand.withholding")}
          data={[
            { value: "", label: say("hand.withholding.none") },
            ...WITHHELD.map((value) => ({ value, label: percent(value) })),
          ]}
          value={withholding.rate}
          error={errorAt("withholding", "withholding.rate")}
          allowDeselect={false}
          onChange={(rate) => change({ withholding: { rate: rate ?? "" } })}
        />
        <DateField
          id="due_date"
          label={say("hand.due_date")}
          {...(usual.dueDays === null
            ? {}
            : { description: say("hand.due_date.usual", { n: usual.dueDays }) })}
          value={typed.due_date}
          error={errorAt("due_date")}
          min={form.today}
          clearable
          onChange={(due_date) => change({ due_date })}
        />
        <Select
          id="means"
          label={say("hand.means")}
          data={[
            { value: "", label: say(none) },
            ...MEANS.map((value) => ({ value, label: say(`hand.means.${value}`) })),
          ]}
          value={payment.means}
          error={errorAt("payment", "payment.means")}
          allowDeselect={false}
          onChange={(means) =>
            change({ payment: { means: means ?? "", iban: means === "transfer" ? usual.iban : "" } })
          }
        />
        {payment.means === "transfer" && (
          <TextInput
            id="iban"
            className={styles.wide ?? ""}
            label={say("hand.iban")}
            maxLength={40}
            value={payment.iban}
            error={errorAt("payment.iban")}
            onChange={({ currentTarget }) => change({ payment: { ...payment, iban: currentTarget.value } })}
          />
        )}
        <Textarea
          id="description"
          className={styles.wide ?? ""}
          label={say("hand.text")}
          description={say("hand.text.hint")}
          autosize
          minRows={2}
          maxLength={1_000}
          value={typed.description}
          error={errorAt("description")}
          onChange={({ currentTarget }) => change({ description: currentTarget.value })}
        />
      </div>
    </Section>
  );
}
