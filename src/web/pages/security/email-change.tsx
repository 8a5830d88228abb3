import { Button, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { answer, api } from "../../api/client.ts";
import { problemsByField, useSave } from "../../parts/save.ts";
import { useWords } from "../../words/words.tsx";
import { checksOf } from "../sign-in/refusals.ts";
import styles from "../sign-in/sign-in.module.css";
import { Done, Refused } from "../sign-in/told.tsx";
import { whenFresh } from "./fresh.ts";

/** The old address counts until the link to the new one is opened. */
export function EmailChange({ email }: { readonly email: string }) {
  const say = useWords();
  const [told, setTold] = useState<{ readonly refused?: string; readonly sentTo?: string }>({});
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { email: "" },
    validate: { email: checksOf(say).email },
    validateInputOnBlur: true,
  });
  const ask = useSave({
    send: (becomes: string) => answer(api.me.email.$post({ json: { email: becomes } })),
    onSaved: (_, sentTo) => {
      form.reset();
      setTold({ sentTo });
    },
    onRefused: (error) =>
      void whenFresh(error, () => {
        const { "": whole, ...fields } = problemsByField(error, say);
        form.setErrors(fields);
        setTold(whole ? { refused: whole } : {});
      }),
  });
  return (
    <section className={styles.form} aria-labelledby="email">
      <h2 id="email">{say("security.email")}</h2>
      <p className="muted">{say("security.email.lead", { email })}</p>
      <Refused>{told.refused}</Refused>
      {told.sentTo && <Done>{say("security.email.sent", { email: told.sentTo })}</Done>}
      <form
        className={styles.form}
        noValidate
        onSubmit={form.onSubmit((values) => {
          setTold({});
          ask.mutate(values.email.trim());
        })}
      >
        <TextInput
          label={say("security.email.new")}
          type="email"
          autoComplete="email"
          key={form.key("email")}
          {...form.getInputProps("email")}
        />
        <Button type="submit" variant="default" loading={ask.isPending}>
          {say("security.email.button")}
        </Button>
      </form>
    </section>
  );
}
