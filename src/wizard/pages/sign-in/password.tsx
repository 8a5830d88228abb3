import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { auth } from "../../app/auth.ts";
import { paths } from "../../app/paths.ts";
import { useWords } from "../../words/words.tsx";
import { SignInFrame } from "./frame.tsx";
import { checksOf, refusedBy } from "./refusals.ts";
import styles from "./sign-in.module.css";

/** Asks for the link; with the link's token, chooses the new password. */
export function PasswordPage() {
  const [search] = useSearchParams();
  const token = search.get("token");
  return token === null ? <AskForLink /> : <ChoosePassword token={token} />;
}

function AskForLink() {
  const say = useWords();
  const [sentTo, setSentTo] = useState("");
  const [refused, setRefused] = useState("");
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { email: "" },
    validate: { email: checksOf(say).email },
    validateInputOnBlur: true,
  });
  async function send({ email }: { email: string }) {
    const { error } = await auth.requestPasswordReset({ email: email.trim() });
    if (error) setRefused(Object.values(refusedBy(error, say))[0] ?? "");
    else setSentTo(email.trim());
  }
  return (
    <SignInFrame title={say("reset.title")} lead={sentTo ? undefined : say("reset.lead")}>
      {refused && (
        <p className={styles.refused} role="alert">
          {refused}
        </p>
      )}
      {sentTo ? (
        <p className={styles.done} role="status">
          {say("reset.sent", { email: sentTo })}
        </p>
      ) : (
        <form className={styles.form} noValidate onSubmit={form.onSubmit((values) => void send(values))}>
          <TextInput
            label={say("signin.email")}
            type="email"
            autoComplete="email"
            key={form.key("email")}
            {...form.getInputProps("email")}
          />
          <Button type="submit">{say("reset.button")}</Button>
        </form>
      )}
      <div className={styles.links}>
        <Link to={paths.signIn}>{say("signin.title")}</Link>
      </div>
    </SignInFrame>
  );
}

function ChoosePassword({ token }: { readonly token: string }) {
  const say = useWords();
  const [isDone, setDone] = useState(false);
  const [refused, setRefused] = useState("");
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { password: "" },
    validate: { password: checksOf(say).newPassword },
    validateInputOnBlur: true,
  });
  async function send({ password }: { password: string }) {
    setRefused("");
    const { error } = await auth.resetPassword({ newPassword: password, token });
    if (!error) return setDone(true);
    const { "": whole, ...fields } = refusedBy(error, say);
    form.setErrors(fields);
    setRefused(whole ?? "");
  }
  return (
    <SignInFrame title={say("reset.new")}>
      {refused && (
        <p className={styles.refused} role="alert">
          {refused} <Link to={paths.forgotten}>{say("reset.again")}</Link>
        </p>
      )}
      {isDone ? (
        <p className={styles.done} role="status">
          {say("reset.done")}
        </p>
      ) : (
        <form className={styles.form} noValidate onSubmit={form.onSubmit((values) => void send(values))}>
          <PasswordInput
            label={say("security.new")}
            description={say("signup.password_hint")}
            inputWrapperOrder={["label", "input", "error", "description"]}
            autoComplete="new-password"
            visibilityToggleButtonProps={{ "aria-label": say("show") }}
            key={form.key("password")}
            {...form.getInputProps("password")}
          />
          <Button type="submit">{say("reset.new.button")}</Button>
        </form>
      )}
      <div className={styles.links}>
        <Link to={paths.signIn}>{say("signin.title")}</Link>
      </div>
    </SignInFrame>
  );
}
