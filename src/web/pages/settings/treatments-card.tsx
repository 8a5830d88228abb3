import { Button, Select, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { IconPlus } from "@tabler/icons-react";
import { Section } from "../../parts/page-head.tsx";
import { useWords } from "../../words/words.tsx";
import { type ProfileForm, TREATMENTS } from "./profile-form.ts";
import styles from "./settings.module.css";

interface TreatmentsCardProps {
  readonly form: UseFormReturnType<ProfileForm>;
}

/** The treatment of amounts outside the lines, by code. */
export function TreatmentsCard({ form }: TreatmentsCardProps) {
  const say = useWords();
  const { treatments } = form.values;
  return (
    <Section title={say("profile.treatments")}>
      <div className="stack">
        <p className="muted text-column">{say("profile.treatments.lead")}</p>
        {treatments.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is known by nothing but its place
          <TreatmentFields key={index} form={form} index={index} isFee={row.as === "fee"} />
        ))}
        <div>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => form.insertListItem("treatments", { code: "", as: "payment", rate: "" })}
          >
            {say("treat.add")}
          </Button>
        </div>
      </div>
    </Section>
  );
}

interface TreatmentFieldsProps extends TreatmentsCardProps {
  readonly index: number;
  readonly isFee: boolean;
}

function TreatmentFields({ form, index, isFee }: TreatmentFieldsProps) {
  const say = useWords();
  const field = (name: string) => `treatments.${index}.${name}`;
  const code = form.values.treatments[index]?.code.trim().toLowerCase() ?? "";
  // The API names the row by its code.
  const refused = code === "" ? undefined : form.errors[`treatments.${code}`];
  const typed = form.getInputProps(field("rate"));
  const typedCode = form.getInputProps(field("code"));
  return (
    <div className={styles.treatment}>
      <TextInput
        id={field("code")}
        label={say("treat.code")}
        {...typedCode}
        error={typedCode.error ?? (isFee ? undefined : refused)}
      />
      <Select
        label={say("treat.as")}
        allowDeselect={false}
        data={TREATMENTS.map((value) => ({ value, label: say(`treat.${value}`) }))}
        {...form.getInputProps(field("as"))}
      />
      {isFee ? (
        <TextInput
          id={field("rate")}
          label={say("treat.rate")}
          inputMode="decimal"
          {...typed}
          error={typed.error ?? refused}
        />
      ) : (
        <span />
      )}
      <Button
        variant="subtle"
        aria-label={`${say("delete")}: ${code}`}
        onClick={() => form.removeListItem("treatments", index)}
      >
        {say("delete")}
      </Button>
    </div>
  );
}
