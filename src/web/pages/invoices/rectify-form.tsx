import { Alert, Button } from "@mantine/core";
import { type UseFormReturnType, useForm } from "@mantine/form";
import { Fragment, useState } from "react";
import { useNavigate } from "react-router";
import { answer, api } from "../../api/client.ts";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { Radio } from "../../parts/choices.tsx";
import { Select, TextInput } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { problemsByField, useSave } from "../../parts/save.ts";
import { Textarea } from "../../parts/text-fields.tsx";
import { useUnsaved } from "../../parts/unsaved.tsx";
import { money } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import { taxGroupWord } from "./amounts.tsx";
import { afterChange, type InvoiceDetail } from "./invoice-queries.ts";
import styles from "./invoices.module.css";
import {
  amountsFor,
  type Body,
  beginning,
  bodyOf,
  fieldOf,
  type Offered,
  problemsIn,
  type RectifyValues,
  valuesOf,
  wholeOf,
} from "./rectify-values.ts";
import { type RightRecipient, RightRecipientFields } from "./right-recipient.tsx";

type FormState = UseFormReturnType<RectifyValues>;

interface RectifyFormProps {
  readonly invoice: InvoiceDetail;
  readonly offered: Offered;
  /** The correct recipient, if that is the reason for issuing again. */
  readonly to: RightRecipient | undefined;
  readonly close: () => void;
}

/**
 * A rectification of a direct invoice: by difference the returned amount, by substitution the correct one.
 */
export function RectifyForm({ invoice, offered, to, close }: RectifyFormProps) {
  const say = useWords();
  const [problem, setProblem] = useState("");
  const form = useForm<RectifyValues>({ initialValues: valuesOf(invoice, offered, to) });
  const rectify = useRectification(invoice, {
    close,
    onRefused: (error) => {
      const { "": whole = "", ...problems } = problemsByField(error, say);
      const inFields = Object.entries(problems).map(([path, message]) => [fieldOf(path, offered), message]);
      form.setErrors(Object.fromEntries(inFields));
      setProblem(whole);
    },
  });
  useUnsaved(form.isDirty() && !rectify.isPending && !rectify.isSuccess);
  const send = (values: RectifyValues) => {
    setProblem("");
    const problems = problemsIn(values, say);
    form.setErrors(problems);
    if (Object.keys(problems).length === 0) rectify.mutate(bodyOf(values, offered));
  };
  return (
    <Form className="stack" refused={problem} onSubmit={form.onSubmit(send)}>
      <MethodField form={form} invoice={invoice} offered={offered} />
      <TypeField form={form} offered={offered} />
      <AmountFields form={form} invoice={invoice} offered={offered} />
      {offered.recipient && (
        <RightRecipientFields
          method={form.values.method}
          value={form.values.recipient}
          begin={beginning(form.values.method, offered.recipient)}
          errors={form.errors}
          onChange={(recipient) => form.setFieldValue("recipient", recipient)}
        />
      )}
      <Textarea
        label={say("rectify.cause")}
        description={say("rectify.cause.hint")}
        autosize
        minRows={2}
        maxLength={1_000}
        {...form.getInputProps("cause")}
      />
      <p className="muted small">{say("rectify.firm")}</p>
      <div className="row">
        <Button variant="default" onClick={close}>
          {say("cancel")}
        </Button>
        <Button type="submit" className="end" loading={rectify.isPending}>
          {say("rectify.button")}
        </Button>
      </div>
    </Form>
  );
}

/** The id stays the same on every try: a retry after a lost response issues nothing twice. */
function useRectification(
  { id }: InvoiceDetail,
  { close, onRefused }: { readonly close: () => void; readonly onRefused: (error: unknown) => void },
) {
  const { account } = useCompany();
  const go = useNavigate();
  const [changeId] = useState(() => crypto.randomUUID());
  return useSave({
    send: (body: Body) =>
      answer(
        api.accounts[":account"].invoices[":invoice"].rectifications.groups.$post({
          param: { account: account.id, invoice: id },
          json: { ...body, deed: changeId },
        }),
      ),
    refresh: afterChange(account.id),
    onSaved: ({ id: issued }) => {
      close();
      void go(paths.invoice(account.id, issued));
    },
    onRefused,
  });
}

function MethodField({
  form,
  invoice,
  offered,
}: { form: FormState } & Pick<RectifyFormProps, "invoice" | "offered">) {
  const say = useWords();
  const { value, error } = form.getInputProps("method");
  const choose = (chosen: string) => {
    const method = chosen === "substitution" ? chosen : "difference";
    form.setValues({ method, ...amountsFor(method, offered.groups) });
    form.clearErrors();
  };
  return (
    <Radio.Group label={say("rectify.method")} value={value} error={error} onChange={choose}>
      <div className="stack" style={{ gap: 8, marginTop: 6 }}>
        {(["difference", "substitution"] as const).map((method) => (
          <Radio.One
            key={method}
            value={method}
            label={say(`rectify.${method}`)}
            description={say(`rectify.${method}.hint`, { number: invoice.fullNumber })}
          />
        ))}
      </div>
    </Radio.Group>
  );
}

function TypeField({ form, offered: { types } }: { form: FormState; offered: Offered }) {
  const say = useWords();
  if (types.length < 2) return null;
  return (
    <Select
      label={say("rectify.type")}
      data={types.map((value) => ({ value, label: say(`rectify.type.${value}`) }))}
      allowDeselect={false}
      {...form.getInputProps("invoice_type")}
    />
  );
}

function AmountFields({
  form,
  invoice,
  offered,
}: { form: FormState } & Pick<RectifyFormProps, "invoice" | "offered">) {
  const say = useWords();
  const { method } = form.values;
  const { groups, pricesIncludeTax } = offered;
  const problem = form.errors.amounts;
  return (
    <fieldset className={styles.whose}>
      <legend>{say(`rectify.${method}.${pricesIncludeTax ? "gross" : "base"}`)}</legend>
      {typeof problem === "string" && (
        <Alert color="red" variant="light" role="alert" mb={12}>
          {problem}
        </Alert>
      )}
      <div className={styles.pair}>
        {groups.map((group, index) => (
          <Fragment key={group.key}>
            <TextInput
              label={taxGroupWord(group, say)}
              description={say("rectify.remaining", { amount: money(group.remaining, invoice.currency) })}
              inputMode="decimal"
              maw={240}
              {...form.getInputProps(`amounts.${index}`)}
            />
            {group.margin !== undefined && (
              <TextInput
                label={say("rectify.margin")}
                aria-label={say("rectify.margin.of", { group: taxGroupWord(group, say) })}
                description={say("rectify.margin.remaining", {
                  amount: money(group.margin, invoice.currency),
                })}
                inputMode="decimal"
                maw={240}
                {...form.getInputProps(`margins.${index}`)}
              />
            )}
          </Fragment>
        ))}
      </div>
      {method === "difference" && (
        <Button variant="subtle" size="xs" onClick={() => form.setValues(wholeOf(groups))} mt={8}>
          {say("rectify.all")}
        </Button>
      )}
    </fieldset>
  );
}
