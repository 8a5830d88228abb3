import { Button } from "@mantine/core";
import { type UseFormReturnType, useForm } from "@mantine/form";
import { useState } from "react";
import { ApiError } from "../../api/errors.ts";
import { CountrySelect } from "../../parts/country-select.tsx";
import { DateField } from "../../parts/date-field.tsx";
import { Select, TextInput } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { useRefusal } from "../../parts/refusal.ts";
import { problemsByField } from "../../parts/save.ts";
import { Textarea } from "../../parts/text-fields.tsx";
import { useUnsaved } from "../../parts/unsaved.tsx";
import { useWords } from "../../words/words.tsx";
import { type InvoiceDetail, useCorrection } from "./invoice-queries.ts";
import styles from "./invoices.module.css";
import { ID_TYPES, type IdType, NOBODY, type RightRecipient } from "./right-recipient.tsx";

interface AmendValues {
  issuer_name: string;
  description: string;
  company: string;
  vat_number: string;
  country: string;
  id_type: string | null;
  operation_date: string;
  agreement_number: string;
}

type FormState = UseFormReturnType<AmendValues>;
type Remedy = NonNullable<InvoiceDetail["remedy"]>;

function valuesOf({ amendable, issueDate }: InvoiceDetail): AmendValues {
  const { issuerName, description, recipient, operationDate, agreementNumber } = amendable;
  return {
    issuer_name: issuerName,
    description,
    company: recipient?.company ?? "",
    vat_number: recipient?.vatNumber ?? "",
    country: recipient?.country ?? "",
    id_type: recipient?.idType ?? null,
    operation_date: operationDate ?? issueDate,
    agreement_number: agreementNumber,
  };
}

interface AmendFormProps {
  readonly invoice: InvoiceDetail;
  readonly close: () => void;
  /** For an invoice that can be issued again, to another recipient. */
  readonly rectify: ((to: RightRecipient) => void) | undefined;
}

/** The members of the record that may be amended; only changed ones are sent. */
export function AmendForm({ invoice, close, rectify }: AmendFormProps) {
  const say = useWords();
  const [isAnother, setAnother] = useState(false);
  const [isUnchanged, setUnchanged] = useState(false);
  const form = useForm({ initialValues: valuesOf(invoice) });
  const refusal = useRefusal(form);
  const amend = useCorrection(invoice, {
    onSaved: close,
    said: say("act.amend.done"),
    onRefused: (error) => {
      const problems = Object.entries(problemsByField(error, say));
      refusal.show(Object.fromEntries(problems.map(([path, message]) => [fieldOf(path), message])));
      setAnother(isOfAnother(error));
    },
  });
  const isChanged = form.isDirty();
  useUnsaved(isChanged && !amend.isPending && !amend.isSuccess);
  const send = (values: AmendValues) => {
    refusal.clear();
    amend.mutate({ correction: "amend", ...changesIn(values, form) });
  };
  return (
    <Form
      className="stack"
      refused={refusal.whole || (isUnchanged && !isChanged && say("act.amend.unchanged"))}
      onSubmit={form.onSubmit(send)}
    >
      <p>{say("act.amend.body")}</p>
      {invoice.amendable.takesRecipient && <RecipientFields form={form} />}
      {isAnother && rectify && (
        <div className="row">
          <Button variant="default" onClick={() => rectify(recipientIn(form.values))}>
            {say("rectify.other.act")}
          </Button>
        </div>
      )}
      <Textarea
        label={say("amend.description")}
        autosize
        minRows={1}
        {...form.getInputProps("description")}
      />
      <div className={styles.pair}>
        <TextInput label={say("amend.issuer")} {...form.getInputProps("issuer_name")} />
        <DateField
          label={say("amend.operation_date")}
          value={form.values.operation_date}
          error={form.errors.operation_date}
          onChange={(day) => form.setFieldValue("operation_date", day)}
        />
      </div>
      {invoice.amendable.takesAgreement && (
        <TextInput label={say("amend.agreement")} maw={240} {...form.getInputProps("agreement_number")} />
      )}
      {isChanged || !invoice.remedy ? (
        <div className="row">
          {!isChanged && invoice.need !== "none" ? (
            <Button type="submit" variant="subtle" color="gray" loading={amend.isPending}>
              {say("act.amend.as_it_was")}
            </Button>
          ) : (
            <Button variant="subtle" color="gray" onClick={close}>
              {say("cancel")}
            </Button>
          )}
          <Button
            type={isChanged ? "submit" : "button"}
            className="end"
            loading={amend.isPending}
            {...(isChanged ? {} : { onClick: () => setUnchanged(true) })}
          >
            {say("act.amend.button")}
          </Button>
        </div>
      ) : (
        <RemedyButtons
          remedy={invoice.remedy}
          isPending={amend.isPending}
          take={(remedy) => amend.mutate({ correction: "remedy", remedy })}
        />
      )}
    </Form>
  );
}

interface RemedyButtonsProps {
  readonly remedy: Remedy;
  readonly isPending: boolean;
  readonly take: (remedy: Remedy) => void;
}

/** As it was, or the other way of naming the same person; type 07 as it was would get the same notice. */
function RemedyButtons({ remedy, isPending, take }: RemedyButtonsProps) {
  const say = useWords();
  return (
    <>
      <p className="muted small">{say(`act.amend.${remedy}.hint`)}</p>
      <div className="row">
        {remedy === "not_in_census" && (
          <Button type="submit" variant="default" loading={isPending}>
            {say("act.amend.as_it_was")}
          </Button>
        )}
        <Button className="end" loading={isPending} onClick={() => take(remedy)}>
          {say(`act.amend.${remedy}`)}
        </Button>
      </div>
    </>
  );
}

function RecipientFields({ form }: { readonly form: FormState }) {
  const say = useWords();
  return (
    <>
      <div className={styles.pair}>
        <TextInput label={say("amend.customer")} {...form.getInputProps("company")} />
        <TextInput label={say("amend.vat")} {...form.getInputProps("vat_number")} />
      </div>
      <div className={styles.pair}>
        <Select
          label={say("amend.id_type")}
          description={say("amend.id_type.hint")}
          placeholder={say("amend.id_type.none")}
          data={ID_TYPES.map((value) => ({ value, label: say(`amend.id_type.${value}`) }))}
          clearable
          {...form.getInputProps("id_type")}
        />
        <CountrySelect
          label={`${say("amend.country")} ${say("optional")}`}
          value={form.values.country}
          error={form.errors.country}
          onChange={(country) => form.setFieldValue("country", country)}
        />
      </div>
    </>
  );
}

/** A record cannot name another recipient than the printed invoice: that one is issued again. */
function isOfAnother(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return [error, ...error.details].some(({ code }) => code === "amendment_names_another");
}

function recipientIn({ company, vat_number, country, id_type }: AmendValues): RightRecipient {
  return { ...NOBODY, company, vat_number, country: country || countryOf(vat_number), id_type };
}

/** A NIF begins with one letter at most, a VAT number of the Union with the two of its country. */
function countryOf(identifier: string): string {
  const [prefix = "ES"] = /^[A-Z]{2}/i.exec(identifier.trim()) ?? [];
  const country = prefix.toUpperCase();
  return country === "EL" ? "GR" : country;
}

/** `recipient.vat_number` of the API is the field `vat_number` of the form. */
function fieldOf(path: string): string {
  return path === "recipient" ? "company" : path.replace(/^recipient\./, "");
}

function changesIn(values: AmendValues, form: FormState) {
  const { issuer_name, description, operation_date, agreement_number } = values;
  const { company, vat_number, country, id_type } = values;
  const isOther = (...names: (keyof AmendValues)[]) => names.some((name) => form.isDirty(name));
  const recipient = {
    ...{ company, vat_number },
    ...(country ? { country } : {}),
    // The select offers no other.
    ...(id_type ? { id_type: id_type as IdType } : {}),
  };
  return {
    ...(isOther("issuer_name") ? { issuer_name } : {}),
    ...(isOther("description") ? { description } : {}),
    ...(isOther("company", "vat_number", "country", "id_type") ? { recipient } : {}),
    ...(isOther("operation_date") ? { operation_date } : {}),
    ...(isOther("agreement_number") ? { agreement_number } : {}),
  };
}
