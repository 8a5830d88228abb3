import { Button, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { answer, api } from "../../api/client.ts";
import { leave } from "../../app/auth.ts";
import { useSave } from "../../parts/save.ts";
import { useWords } from "../../words/words.tsx";
import { refusedBy } from "../sign-in/refusals.ts";
import styles from "../sign-in/sign-in.module.css";
import { Refused } from "../sign-in/told.tsx";
import { whenFresh } from "./fresh.ts";

/** The deletion is final, so the person must type the address. */
export function DeleteLogin({ email }: { readonly email: string }) {
  const say = useWords();
  const [refused, setRefused] = useState("");
  const required = say("form.required", { field: say("security.delete.email.the") });
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { email: "" },
    validate: { email: (value) => (value.trim() ? null : required) },
  });
  const deletion = useSave({
    send: (typed: string) => answer(api.me.$delete({ json: { email: typed } })),
    onSaved: leave,
    onRefused: (error) =>
      void whenFresh(error, () => {
        const { "": whole, ...fields } = refusedBy(error, say);
        form.setErrors(fields);
        setRefused(whole ?? "");
      }),
  });
  return (
    <section className={styles.form} aria-labelledby="delete-login">
      <h2 id="delete-login">{say("security.delete")}</h2>
      <p className="muted">{say("security.delete.lead")}</p>
      <Refused>{refused}</Refused>
      <form
        className={styles.form}
        noValidate
        onSubmit={form.onSubmit((values) => {
          setRefused("");
          deletion.mutate(values.email.trim());
        })}
      >
        <TextInput
          label={say("security.delete.email", { email })}
          autoComplete="off"
          key={form.key("email")}
          {...form.getInputProps("email")}
        />
        <Button type="submit" variant="default" color="red" loading={deletion.isPending}>
          {say("security.delete.button")}
        </Button>
      </form>
    </section>
  );
}
