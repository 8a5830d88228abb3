import { Button } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { IconPlus } from "@tabler/icons-react";
import { Checkbox, Radio } from "../../parts/choices.tsx";
import { Select, TextInput } from "../../parts/fields.tsx";
import { Section } from "../../parts/page-head.tsx";
import { useWords } from "../../words/words.tsx";
import { PaymentFields } from "./payment-fields.tsx";
import {
  CREDITS,
  EU_BUSINESS,
  EU_CONSUMER,
  MODES,
  OPERATIONS,
  OTHER_SPANISH,
  OUTSIDE_EU,
  type ProfileForm,
  TREATMENTS,
  VOUCHERS,
  ZERO_BASES,
} from "./profile-form.ts";
import styles from "./settings.module.css";

interface CardsProps {
  readonly form: UseFormReturnType<ProfileForm>;
}

/** The declarations about sales, one card per question. */
export function ProfileCards({ form }: CardsProps) {
  return (
    <>
      <ModeCard form={form} />
      <DiscountsCard form={form} />
      <RoundingCard form={form} />
      <ForeignCard form={form} />
      <SimplifiedCard form={form} />
      <PaymentCard form={form} />
    </>
  );
}

function ModeCard({ form }: CardsProps) {
  const say = useWords();
  return (
    <Section title={say("profile.mode")}>
      <Radio.Group aria-label={say("profile.mode")} {...form.getInputProps("issuing_mode")}>
        <div className="stack">
          {MODES.map((mode) => (
            <Radio.One key={mode} value={mode} label={say(`mode.${mode}`)} />
          ))}
        </div>
      </Radio.Group>
    </Section>
  );
}

function DiscountsCard({ form }: CardsProps) {
  const say = useWords();
  return (
    <Section title={say("profile.discounts")}>
      <div className="stack">
        <Checkbox
          label={say("discounts_included")}
          {...form.getInputProps("discounts_included", { type: "checkbox" })}
        />
        <Select
          label={say("profile.credit")}
          allowDeselect={false}
          data={CREDITS.map((value) => ({ value, label: say(`credit.${value}`) }))}
          {...form.getInputProps("customer_credit")}
        />
        <Radio.Group label={say("profile.vouchers")} {...form.getInputProps("voucher_kind")}>
          <div className="stack" style={{ marginTop: 8 }}>
            {VOUCHERS.map((value) => (
              <Radio.One key={value} value={value} label={say(`voucher.${value}`)} />
            ))}
          </div>
        </Radio.Group>
      </div>
    </Section>
  );
}

function PaymentCard({ form }: CardsProps) {
  const say = useWords();
  return (
    <Section title={say("payment.title")}>
      <div className="stack">
        <p className="muted text-column">{say("payment.profile.lead")}</p>
        <PaymentFields form={form} isOfProfile />
      </div>
    </Section>
  );
}

function RoundingCard({ form }: CardsProps) {
  const say = useWords();
  const typed = form.getInputProps("rounding_rate");
  return (
    <Section title={say("profile.rounding.title")}>
      <TextInput
        id="rounding_rate"
        label={`${say("profile.rounding.label")} ${say("optional")}`}
        description={say("profile.rounding.hint")}
        inputMode="decimal"
        styles={{ input: { maxWidth: 110 } }}
        {...typed}
      />
    </Section>
  );
}

function ForeignCard({ form }: CardsProps) {
  const say = useWords();
  const undeclared = { value: "", label: say("profile.hold_each") };
  return (
    <Section title={say("profile.special")}>
      <div className="stack">
        <Select
          label={say("profile.zero")}
          description={say("profile.zero.hint")}
          allowDeselect={false}
          data={[undeclared, ...ZERO_BASES.map((value) => ({ value, label: say(`zero.${value}`) }))]}
          {...form.getInputProps("zero_rate_basis")}
        />
        <DestinationSelect form={form} name="eu_consumer" values={EU_CONSUMER} />
        <DestinationSelect
          form={form}
          name="eu_business"
          values={form.values.eu_business === "domestic" ? [...EU_BUSINESS, "domestic"] : EU_BUSINESS}
        />
        <DestinationSelect form={form} name="outside_eu" values={OUTSIDE_EU} />
        <DestinationSelect form={form} name="other_spanish" values={OTHER_SPANISH} />
      </div>
    </Section>
  );
}

interface DestinationProps extends CardsProps {
  readonly name: "eu_consumer" | "eu_business" | "outside_eu" | "other_spanish";
  readonly values: readonly ("oss" | "domestic" | "intra_community" | "not_located" | "export")[];
}

function DestinationSelect({ form, name, values }: DestinationProps) {
  const say = useWords();
  const typed = form.getInputProps(name);
  return (
    <Select
      id={name}
      label={say(`profile.${name}`)}
      description={typed.error ? undefined : say(`profile.${name}.hint`)}
      allowDeselect={false}
      data={[
        { value: "", label: say("profile.hold_each") },
        ...values.map((value) => ({ value: value as string, label: say(`foreign.${value}`) })),
      ]}
      {...typed}
    />
  );
}

function SimplifiedCard({ form }: CardsProps) {
  const say = useWords();
  const { article_4_2: operation } = form.values;
  return (
    <Section title={say("profile.simplified")}>
      <div className="stack">
        <Checkbox
          label={say("art42")}
          checked={operation !== ""}
          onChange={(event) =>
            form.setFieldValue("article_4_2", event.currentTarget.checked ? "retail_sale" : "")
          }
        />
        {operation !== "" && (
          <Select
            label={say("art42.operation")}
            maw={400}
            allowDeselect={false}
            data={OPERATIONS.map((value) => ({ value, label: say(`art42.${value}`) }))}
            {...form.getInputProps("article_4_2")}
          />
        )}
        <Checkbox
          id="under_authorisation"
          label={say("profile.authorised.label")}
          {...form.getInputProps("under_authorisation", { type: "checkbox" })}
        />
      </div>
    </Section>
  );
}

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
