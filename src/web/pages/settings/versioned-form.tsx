import { Button } from "@mantine/core";
import { type UseFormInput, type UseFormReturnType, useForm } from "@mantine/form";
import type { QueryKey } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useCompany } from "../../app/session.tsx";
import { Form } from "../../parts/form.tsx";
import { NewerNotice, useNewer } from "../../parts/newer.tsx";
import { useRefusal } from "../../parts/refusal.ts";
import { problemsByField, useSave } from "../../parts/save.ts";
import { useWords } from "../../words/words.tsx";
import { companyKey } from "./queries.ts";
import styles from "./settings.module.css";

interface VersionedFormOptions<Values extends object> {
  readonly read: { readonly version: string; readonly values: Values };
  readonly validate: NonNullable<UseFormInput<Values>["validate"]>;
  /** Refused by the API if the version is not the newest. */
  readonly put: (values: Values, version: string) => Promise<unknown>;
  /** The toast after saving. */
  readonly said: string;
  /** Queries that show the values, beside the company. */
  readonly refresh?: readonly QueryKey[];
  /** The field of the form that a path of the API belongs to; the path itself by default. */
  readonly fieldOf?: (path: string) => string;
}

interface VersionedFormState<Values extends object> {
  readonly form: UseFormReturnType<Values>;
  /** What the API refused and no field has. */
  readonly refused: string;
  readonly newer: ReturnType<typeof useNewer<Values>>;
  readonly isSaving: boolean;
  readonly submit: (values: Values) => void;
}

/** A form of the company's settings, which several people may have open. */
export function useVersionedForm<Values extends object>(
  options: VersionedFormOptions<Values>,
): VersionedFormState<Values> {
  const { read, validate, put, said, refresh = [], fieldOf = (path) => path } = options;
  const say = useWords();
  const { account } = useCompany();
  const company = companyKey(account.id);
  const form = useForm<Values>({ initialValues: read.values, validate, validateInputOnBlur: true });
  const refusal = useRefusal(form);
  const newer = useNewer<Values>({
    ...{ read, typed: form.values, take: form.setValues },
    readAgain: company,
  });
  const save = useSave({
    send: (values: Values) => newer.send((version) => put(values, version)),
    refresh: [company, ...refresh],
    said,
    onSaved: () => newer.saved(),
    onRefused: (error) => {
      if (newer.isRefusedBy(error)) return;
      const found = Object.entries(problemsByField(error, say));
      refusal.show(Object.fromEntries(found.map(([path, message]) => [fieldOf(path), message])));
    },
  });
  const submit = (values: Values) => {
    refusal.clear();
    save.mutate(values);
  };
  return { form, refused: refusal.whole, newer, isSaving: save.isPending, submit };
}

interface VersionedFormProps<Values extends object> {
  readonly state: VersionedFormState<Values>;
  /** What another person has changed, in words. */
  readonly changesIn: (
    before: Values,
    after: Values,
  ) => readonly { readonly what: string; readonly before: string; readonly after: string }[];
  /** What a change has an effect on. */
  readonly note: string;
  readonly children: ReactNode;
}

/** The acts appear with the first change. */
export function VersionedForm<Values extends object>(props: VersionedFormProps<Values>) {
  const { state, changesIn, note, children } = props;
  const { form, refused, newer, isSaving, submit } = state;
  const say = useWords();
  const { isReadOnly } = useCompany();
  return (
    <Form className={styles.form} refused={refused} onSubmit={form.onSubmit(submit)}>
      <NewerNotice newer={newer} changes={newer.before ? changesIn(newer.before, newer.base.values) : []} />
      {children}
      {!isReadOnly && newer.isDirty && (
        <div className={styles.dock}>
          <p className="muted small">{note}</p>
          <div className={styles.dockActs}>
            <Button variant="subtle" color="gray" onClick={() => form.setValues(newer.base.values)}>
              {say("cancel")}
            </Button>
            <Button type="submit" loading={isSaving}>
              {say("save")}
            </Button>
          </div>
        </div>
      )}
    </Form>
  );
}
