import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { auth } from "../../app/auth.ts";
import { pageToReturnTo } from "../../app/page-to-return-to.ts";
import { paths } from "../../app/paths.ts";
import { useWords } from "../../words/words.tsx";
import { SignInFrame } from "./frame.tsx";
import { checksOf, refusedBy } from "./refusals.ts";
import styles from "./sign-in.module.css";

/** The first of two short pages: the person. */
export function SignUpPage() {
  const say = useWords();
  const [search] = useSearchParams();
  const [refused, setRefused] = useState("");
  return (
    <SignInFrame title={say("signup.title")} lead={say("signup.lead")}>
      {refused && (
        <p className={styles.refused} role="alert">
          {refused}
        </p>
      )}
      <PersonForm
        refuse={setRefused}
        enter={() => window.location.assign(search.has("volver") ? pageToReturnTo(search) : paths.newCompany)}
      />
      <div className={styles.links}>
        <Link to={{ pathname: paths.signIn, search: search.toString() }}>{say("signin.known")}</Link>
      </div>
    </SignInFrame>
  );
}

interface PersonFormProps {
  readonly enter: () => void;
  readonly refuse: (why: string) => void;
}

function PersonForm({ enter, refuse }: PersonFormProps) {
  const say = useWords();
  const { name, email, newPassword } = checksOf(say);
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { name: "", email: "", password: "" },
    validate: { name, email, password: newPassword },
    validateInputOnBlur: true,
  });
  const [isBusy, setBusy] = useState(false);
  async function send(values: { name: string; email: string; password: string }) {
    setBusy(true);
    refuse("");
    const { error } = await auth.signUp.email({
      ...values,
      name: values.name.trim(),
      email: values.email.trim(),
    });
    setBusy(false);
    if (!error) return enter();
    const { "": whole, ...fields } = refusedBy(error, say);
    form.setErrors(fields);
    refuse(whole ?? "");
  }
  return (
    <form className={styles.form} noValidate onSubmit={form.onSubmit((values) => void send(values))}>
      <TextInput
        label={say("signup.name")}
        autoComplete="name"
        maxLength={120}
        key={form.key("name")}
        {...form.getInputProps("name")}
      />
      <TextInput
        label={say("signin.email")}
        type="email"
        autoComplete="email"
        key={form.key("email")}
        {...form.getInputProps("email")}
      />
      <PasswordInput
        label={say("signin.password")}
        description={say("signup.password_hint")}
        inputWrapperOrder={["label", "input", "error", "description"]}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ "aria-label": say("show") }}
        key={form.key("password")}
        {...form.getInputProps("password")}
      />
      <Button type="submit" loading={isBusy}>
        {say("signup.button")}
      </Button>
    </form>
  );
}
