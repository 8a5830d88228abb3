import { Button, PasswordInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { answer, api } from "../../api/client.ts";
import { useSave } from "../../parts/save.ts";
import { useWords } from "../../words/words.tsx";
import { NewPassword } from "../sign-in/new-password.tsx";
import { checksOf, refusedBy } from "../sign-in/refusals.ts";
import styles from "../sign-in/sign-in.module.css";
import { Done, Refused } from "../sign-in/told.tsx";
import { whenFresh } from "./fresh.ts";
import { SESSIONS } from "./sessions.tsx";

export function PasswordChange() {
  const say = useWords();
  const [told, setTold] = useState<{ readonly refused?: string; readonly isDone?: boolean }>({});
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { current: "", password: "" },
    validate: { current: checksOf(say).password, password: checksOf(say).newPassword },
    validateInputOnBlur: true,
  });
  const change = useSave({
    send: ({ current, password }: { current: string; password: string }) =>
      answer(
        api.auth["change-password"].$post({ json: { currentPassword: current, newPassword: password } }),
      ),
    refresh: [SESSIONS],
    onSaved: () => {
      form.reset();
      setTold({ isDone: true });
    },
    onRefused: (error) =>
      void whenFresh(error, () => {
        const { "": whole, ...fields } = refusedBy(error, say);
        form.setErrors(fields);
        setTold(whole ? { refused: whole } : {});
      }),
  });
  return (
    <section className={styles.form} aria-label={say("security.password")}>
      <Refused>{told.refused}</Refused>
      {told.isDone && <Done>{say("security.changed")}</Done>}
      <form
        className={styles.form}
        noValidate
        onSubmit={form.onSubmit((values) => {
          setTold({});
          change.mutate(values);
        })}
      >
        <PasswordInput
          label={say("security.current")}
          autoComplete="current-password"
          visibilityToggleButtonProps={{ "aria-label": say("show") }}
          key={form.key("current")}
          {...form.getInputProps("current")}
        />
        <NewPassword key={form.key("password")} {...form.getInputProps("password")} />
        <Button type="submit" variant="default" loading={change.isPending}>
          {say("security.password")}
        </Button>
      </form>
    </section>
  );
}
