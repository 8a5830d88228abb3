import { MOST_DUE_DAYS, USUAL_MEANS } from "../../../domain/invoice/payment-terms.ts";
import { bicFrom, ibanFrom } from "../../../domain/shared/iban.ts";
import { Select, TextInput } from "../../parts/fields.tsx";
import { type Say, useWords } from "../../words/words.tsx";
import type { PaymentForm } from "./payment-form.ts";
import styles from "./settings.module.css";

/** Checks shown at once; the server checks all again. */
export function paymentChecks(say: Say) {
  return {
    iban: (iban: string, { means }: PaymentForm) => {
      if (means !== "transfer") return null;
      if (iban.trim() === "") return say("form.required", { field: say("payment.iban.the") });
      return ibanFrom(iban) === undefined ? say("look.iban.bad") : null;
    },
    bic: (bic: string, { means }: PaymentForm) =>
      means !== "transfer" || bic.trim() === "" || bicFrom(bic) !== undefined ? null : say("payment.bic.bad"),
    due_days: (days: string) => (areDays(days.trim()) ? null : say("payment.due_days.bad")),
  };
}

function areDays(typed: string): boolean {
  return typed === "" || (/^\d{1,3}$/.test(typed) && Number(typed) <= MOST_DUE_DAYS);
}

export function meansText(means: PaymentForm["means"], say: Say): string {
  return say(`payment.means.${means || "none"}`);
}

interface PaymentFieldsProps {
  readonly form: {
    readonly values: PaymentForm;
    getInputProps(path: keyof PaymentForm): object;
  };
  /** Of a profile: what it leaves open is the company's. */
  readonly isOfProfile?: boolean;
}

export function PaymentFields({ form, isOfProfile = false }: PaymentFieldsProps) {
  const say = useWords();
  const { values } = form;
  const none = { value: "", label: say(isOfProfile ? "payment.means.company" : "payment.means.none") };
  return (
    <div className={styles.fields}>
      <Select
        id="means"
        label={say("payment.means")}
        allowDeselect={false}
        data={[none, ...USUAL_MEANS.map((value) => ({ value, label: say(`payment.means.${value}`) }))]}
        {...form.getInputProps("means")}
      />
      <TextInput
        id="due_days"
        label={say("payment.due_days")}
        description={say(isOfProfile ? "payment.due_days.hint.profile" : "payment.due_days.hint")}
        inputMode="numeric"
        maxLength={4}
        {...form.getInputProps("due_days")}
      />
      {values.means === "transfer" && (
        <>
          <TextInput
            id="iban"
            label={say("payment.iban")}
            autoComplete="off"
            maxLength={44}
            {...form.getInputProps("iban")}
          />
          <TextInput
            id="bic"
            label={say("payment.bic")}
            autoComplete="off"
            maxLength={14}
            {...form.getInputProps("bic")}
          />
        </>
      )}
    </div>
  );
}
