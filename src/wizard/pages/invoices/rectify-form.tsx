import { Button, Radio, Select, Textarea, TextInput } from "@mantine/core";
import { type UseFormReturnType, useForm } from "@mantine/form";
import { useState } from "react";
import { useNavigate } from "react-router";
import { answer, api } from "../../api/client.ts";
import { currentLanguage } from "../../app/language.ts";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { FormSummary } from "../../parts/form-summary.tsx";
import { problemsByField, useSave } from "../../parts/save.ts";
import { amount, money, percent } from "../../words/format.ts";
import { type Say, useWords } from "../../words/words.tsx";
import { afterDeed, type InvoiceDetail } from "./invoice-queries.ts";
import styles from "./invoices.module.css";
import { type RightRecipient, RightRecipientFields, recipientBody } from "./right-recipient.tsx";
import { typedAmount } from "./typed-amount.ts";

type Offered = NonNullable<InvoiceDetail["rectify"]>;
type Group = Offered["groups"][number];
type RectifyingType = Offered["types"][number];
type Method = "difference" | "substitution";

interface RectifyValues {
  method: Method;
  invoice_type: RectifyingType;
  cause: string;
  /** By the place of the group: its key holds points, which a form takes for a way down. */
  amounts: string[];
  /** Of a substitution: who should have been named, where it was somebody else. */
  recipient: RightRecipient | undefined;
}

type Form = UseFormReturnType<RectifyValues>;

interface RectifyFormProps {
  readonly invoice: InvoiceDetail;
  readonly offered: Offered;
  /** Who should have been named, where that is why it is issued again. */
  readonly to: RightRecipient | undefined;
  readonly close: () => void;
}

/** A corrective invoice of a direct one: by difference what goes back, by substitution what it should be. */
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
  const send = (values: RectifyValues) => {
    setProblem("");
    const problems = problemsIn(values, say);
    form.setErrors(problems);
    if (Object.keys(problems).length === 0) rectify.mutate(bodyOf(values, offered));
  };
  return (
    <form className="stack" noValidate onSubmit={form.onSubmit(send)}>
      <FormSummary problems={problem ? [{ field: "", message: problem }] : []} />
      <MethodField form={form} invoice={invoice} offered={offered} />
      <TypeField form={form} offered={offered} />
      <AmountFields form={form} invoice={invoice} offered={offered} />
      {form.values.method === "substitution" && invoice.amendable.takesRecipient && (
        <RightRecipientFields
          value={form.values.recipient}
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
    </form>
  );
}

type Body = Omit<
  Parameters<(typeof api.accounts)[":account"]["invoices"][":invoice"]["rectifications"]["$post"]>[0]["json"],
  "deed"
>;

/** One deed has one id, however often it is sent: a repeat after a lost answer issues nothing twice. */
function useRectification(
  { id }: InvoiceDetail,
  { close, onRefused }: { readonly close: () => void; readonly onRefused: (error: unknown) => void },
) {
  const { account } = useCompany();
  const go = useNavigate();
  const [deed] = useState(() => crypto.randomUUID());
  return useSave({
    send: (body: Body) =>
      answer(
        api.accounts[":account"].invoices[":invoice"].rectifications.$post({
          param: { account: account.id, invoice: id },
          json: { ...body, deed },
        }),
      ),
    refresh: afterDeed(account.id),
    onSaved: ({ id: issued }) => {
      close();
      void go(paths.invoice(account.id, issued));
    },
    onRefused,
  });
}

/** A number that is another's leaves only a new one for the same sale. */
function valuesOf(
  { duplicate }: InvoiceDetail,
  { types, groups }: Offered,
  recipient: RightRecipient | undefined,
): RectifyValues {
  const method = duplicate === "foreign" || recipient ? "substitution" : "difference";
  const amounts = amountsFor(method, groups);
  // Whom it names is an error that article 80 has no case for.
  const type = recipient && types.includes("R4") ? "R4" : types[0];
  return { method, invoice_type: type ?? "R1", cause: "", amounts, recipient };
}

/** The whole amounts are there to be put right; what goes back is to be said. */
function amountsFor(method: Method, groups: readonly Group[]): string[] {
  return groups.map(({ remaining }) => (method === "substitution" ? written(remaining) : ""));
}

function written(exact: string): string {
  return amount(exact).replace("−", "-");
}

function bodyOf({ recipient, ...values }: RectifyValues, { groups }: Offered): Body {
  const { method, invoice_type, cause, amounts } = values;
  const stated = groups.map(({ key }, index) => ({ group: key, amount: exact(amounts[index] ?? "") }));
  const isOther = method === "substitution" && recipient !== undefined;
  return {
    ...{ method, invoice_type, cause, amounts: stated },
    ...(isOther ? { recipient: recipientBody(recipient) } : {}),
  };
}

function exact(typed: string): string {
  return typed.trim() === "" ? "0" : typedAmount(typed, currentLanguage());
}

function problemsIn({ method, cause, amounts }: RectifyValues, say: Say): Record<string, string> {
  const wrong = amounts.flatMap((typed, index) =>
    /^\d{1,12}(\.\d{1,6})?$/.test(exact(typed)) ? [] : [[`amounts.${index}`, say("form.amount")]],
  );
  const isNothing = method === "difference" && amounts.every((typed) => Number(exact(typed)) === 0);
  return {
    ...(isNothing ? { "amounts.0": say("rectify.amount.missing") } : {}),
    ...Object.fromEntries(wrong),
    ...(cause.trim() === "" ? { cause: say("rectify.cause.missing") } : {}),
  };
}

/** `amounts.01|01|S1|21|` of the API is the field of that group. */
function fieldOf(path: string, { groups }: Offered): string {
  if (!path.startsWith("amounts")) return path;
  const place = /^amounts\.(\d+)\.amount$/.exec(path)?.[1];
  const index = place ? Number(place) : groups.findIndex(({ key }) => path === `amounts.${key}`);
  return `amounts.${Math.max(index, 0)}`;
}

function MethodField({
  form,
  invoice,
  offered,
}: { form: Form } & Pick<RectifyFormProps, "invoice" | "offered">) {
  const say = useWords();
  const { value, error } = form.getInputProps("method");
  const choose = (chosen: string) => {
    const method = chosen === "substitution" ? chosen : "difference";
    form.setValues({ method, amounts: amountsFor(method, offered.groups) });
    form.clearErrors();
  };
  return (
    <Radio.Group label={say("rectify.method")} value={value} error={error} onChange={choose}>
      <div className="stack" style={{ gap: 8, marginTop: 6 }}>
        {(["difference", "substitution"] as const).map((method) => (
          <Radio
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

function TypeField({ form, offered: { types } }: { form: Form; offered: Offered }) {
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
}: { form: Form } & Pick<RectifyFormProps, "invoice" | "offered">) {
  const say = useWords();
  const { method } = form.values;
  const { groups, pricesIncludeTax } = offered;
  const takeAll = () => {
    form.setFieldValue(
      "amounts",
      groups.map(({ remaining }) => written(remaining)),
    );
  };
  return (
    <fieldset className={styles.whose}>
      <legend>{say(`rectify.${method}.${pricesIncludeTax ? "gross" : "base"}`)}</legend>
      <div className={styles.pair}>
        {groups.map((group, index) => (
          <TextInput
            key={group.key}
            label={groupText(group, say)}
            description={say("rectify.remaining", { amount: money(group.remaining, invoice.currency) })}
            inputMode="decimal"
            maw={240}
            {...form.getInputProps(`amounts.${index}`)}
          />
        ))}
      </div>
      {method === "difference" && (
        <Button variant="subtle" size="xs" onClick={takeAll} mt={8}>
          {say("rectify.all")}
        </Button>
      )}
    </fieldset>
  );
}

/** IVA 21 %, or why there is none. */
function groupText({ tax, rate, qualification: code, surchargeRate }: Group, say: Say): string {
  const name = say(`rectify.tax.${tax}`);
  if (code.startsWith("E")) return `${name} ${say("rectify.exempt", { code })}`;
  if (code.startsWith("N")) return `${name} ${say("rectify.not_subject", { code })}`;
  if (code === "S2") return `${name}, ${say("rectify.reverse")}`;
  const surcharge = surchargeRate ? ` + ${say("rectify.surcharge", { rate: percent(surchargeRate) })}` : "";
  return `${name} ${percent(rate)}${surcharge}`;
}
