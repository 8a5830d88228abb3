import { Button } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { answer } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { TextInput } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { Section } from "../../parts/page-head.tsx";
import { useRefusal } from "../../parts/refusal.ts";
import { problemsByField, useSave } from "../../parts/save.ts";
import { StateMark } from "../../parts/state-mark.tsx";
import { Empty } from "../../parts/states.tsx";
import { useUnsaved } from "../../parts/unsaved.tsx";
import { date, money } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { plainNumber } from "./profile-form.ts";
import { type CompanySettings, companyKey, ofAccount, sellingKey } from "./queries.ts";
import styles from "./settings.module.css";

type Authorisation = CompanySettings["authorisations"][number];

/** Authorisations of the AEAT for simplified invoices: one at a time. */
export function AuthorisationsTab({ company }: { readonly company: CompanySettings }) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  const [leaving, setLeaving] = useState<Authorisation>();
  const { authorisations } = company;
  const isActive = authorisations.some(({ closedAt }) => closedAt === undefined);
  return (
    <>
      <Section title={say("auth.title")} flush>
        {authorisations.length === 0 ? (
          <Empty text={say("auth.empty")} />
        ) : (
          <ul className={styles.rows}>
            {authorisations.map((one) => (
              <AuthorisationRow
                key={`${one.number}${one.openedAt}`}
                shown={one}
                close={isReadOnly ? undefined : () => setLeaving(one)}
              />
            ))}
          </ul>
        )}
      </Section>
      {!isReadOnly && !isActive && <OpenForm />}
      {leaving && <CloseDialog shown={leaving} close={() => setLeaving(undefined)} />}
    </>
  );
}

interface AuthorisationRowProps {
  readonly shown: Authorisation;
  readonly close: (() => void) | undefined;
}

function AuthorisationRow({ shown, close }: AuthorisationRowProps) {
  const say = useWords();
  const { account } = useCompany();
  const { number, limit, agreementNumber, openedAt, closedAt } = shown;
  const day = (at: string) => date(at, account.timeZone);
  return (
    <li>
      <div className={styles.grow}>
        <b>{number}</b> · {say("auth.up_to", { limit: money(limit) })}
        <br />
        <span className="muted small">
          {agreementNumber ? say("auth.registered", { number: agreementNumber }) : say("auth.noreg")}
        </span>
      </div>
      {closedAt ? (
        <StateMark tone="cancelled">
          {say("auth.closed", { from: day(openedAt), to: day(closedAt) })}
        </StateMark>
      ) : (
        <StateMark tone="done">{say("auth.active", { date: day(openedAt) })}</StateMark>
      )}
      {!closedAt && close && (
        <Button variant="default" size="xs" onClick={close}>
          {say("auth.close")}
        </Button>
      )}
    </li>
  );
}

function OpenForm() {
  const say = useWords();
  const { account } = useCompany();
  const form = useForm({
    initialValues: { number: "", limit: "", agreement_number: "" },
    validate: {
      number: (value) => (value.trim() ? null : say("form.required", { field: say("auth.number.the") })),
      limit: (value) => (/^\d+(\.\d+)?$/.test(plainNumber(value)) ? null : say("form.amount")),
    },
    validateInputOnBlur: true,
  });
  const refusal = useRefusal(form);
  const open = useSave({
    send: ({ number, limit, agreement_number }: typeof form.values) =>
      answer(
        ofAccount.company.authorisations.$post({
          param: { account: account.id },
          json: { number, limit: plainNumber(limit), agreement_number: agreement_number.trim() || null },
        }),
      ),
    refresh: [companyKey(account.id), sellingKey(account.id)],
    said: say("saved_applies"),
    onSaved: () => form.reset(),
    onRefused: (error) => refusal.show(problemsByField(error, say)),
  });
  useUnsaved(form.isDirty() && !open.isPending);
  return (
    <Section title={say("auth.add")}>
      <Form
        className="stack"
        refused={refusal.whole}
        onSubmit={form.onSubmit((values) => {
          refusal.clear();
          open.mutate(values);
        })}
      >
        <div className={styles.fields}>
          <TextInput label={say("auth.number")} {...form.getInputProps("number")} />
          <TextInput label={say("auth.limit")} inputMode="decimal" {...form.getInputProps("limit")} />
          <TextInput
            label={`${say("auth.registration")} ${say("optional")}`}
            description={say("auth.registration.hint")}
            {...form.getInputProps("agreement_number")}
          />
        </div>
        <div>
          <Button type="submit" loading={open.isPending}>
            {say("auth.add.button")}
          </Button>
        </div>
      </Form>
    </Section>
  );
}

interface CloseDialogProps {
  readonly shown: Authorisation;
  readonly close: () => void;
}

function CloseDialog({ shown, close }: CloseDialogProps) {
  const say = useWords();
  const { account } = useCompany();
  const end = useSave({
    send: () =>
      answer(
        ofAccount.company.authorisations.$delete({
          param: { account: account.id },
          query: { number: shown.number },
        }),
      ),
    refresh: [companyKey(account.id), sellingKey(account.id)],
    onSaved: close,
  });
  return (
    <ConfirmDialog
      title={say("auth.close")}
      isOpen
      close={close}
      act={say("auth.close")}
      isBusy={end.isPending}
      confirm={() => end.mutate(undefined)}
    >
      <p>{say("auth.close.body", { number: shown.number })}</p>
    </ConfirmDialog>
  );
}
