import { Button } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconFingerprint } from "@tabler/icons-react";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { answer, api } from "../../api/client.ts";
import { passkeys } from "../../app/auth.ts";
import { hadSession } from "../../app/known-session.ts";
import { pageToReturnTo } from "../../app/page-to-return-to.ts";
import { paths } from "../../app/paths.ts";
import { TextInput } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { useRefusal } from "../../parts/refusal.ts";
import { useSave } from "../../parts/save.ts";
import { PasswordInput } from "../../parts/text-fields.tsx";
import { useWords } from "../../words/words.tsx";
import { CodeForm } from "./code-form.tsx";
import { Refused, SignInFrame } from "./frame.tsx";
import { knowsPasskeys } from "./passkeys.ts";
import { asksForCode, checksOf, refusedBy } from "./refusals.ts";
import styles from "./sign-in.module.css";

/** A passkey first where the browser knows them, then e-mail and password. */
export function SignInPage() {
  const say = useWords();
  const [search] = useSearchParams();
  const [refused, setRefused] = useState("");
  const [typed, setTyped] = useState<Typed>();
  const lead = search.has("motivo") ? "signin.again" : hadSession() ? "session.expired" : undefined;
  const enter = () => window.location.assign(pageToReturnTo(search));
  if (typed) return <SecondStep typed={typed} enter={enter} back={() => setTyped(undefined)} />;
  return (
    <SignInFrame title={say("signin.title")} {...(search.has("volver") && lead ? { lead: say(lead) } : {})}>
      <Refused>{refused}</Refused>
      {knowsPasskeys() && <PasskeyButton enter={enter} refuse={setRefused} />}
      <PasswordForm enter={enter} refuse={setRefused} askForCode={setTyped} />
      <div className={styles.links}>
        <Link to={paths.forgotten}>{say("signin.forgot")}</Link>
        <Link to={{ pathname: paths.signUp, search: search.toString() }}>{say("signin.new")}</Link>
      </div>
    </SignInFrame>
  );
}

interface EntryProps {
  readonly enter: () => void;
  readonly refuse: (why: string) => void;
}

function PasskeyButton({ enter, refuse }: EntryProps) {
  const say = useWords();
  const [isBusy, setBusy] = useState(false);
  async function sign() {
    setBusy(true);
    const refused = await passkeys.signIn();
    setBusy(false);
    if (refused) refuse(say("signin.passkey_failed"));
    else enter();
  }
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconFingerprint size={18} aria-hidden />}
        loading={isBusy}
        onClick={() => void sign()}
      >
        {say("signin.passkey")}
      </Button>
      <div className={styles.or}>{say("signin.or")}</div>
    </>
  );
}

interface Typed {
  readonly email: string;
  readonly password: string;
}

interface SecondStepProps {
  readonly typed: Typed;
  readonly enter: () => void;
  readonly back: () => void;
}

/** The password was right: it is sent again with the code. */
function SecondStep({ typed, enter, back }: SecondStepProps) {
  const say = useWords();
  return (
    <SignInFrame title={say("security.totp")}>
      <CodeForm
        isNext
        hint={say("security.totp.either")}
        button={say("signin.button")}
        send={(code) => answer(api.auth["sign-in"].email.$post({ json: { ...typed, code } }))}
        onSaved={enter}
        back={back}
      />
    </SignInFrame>
  );
}

interface PasswordFormProps extends EntryProps {
  readonly askForCode: (typed: Typed) => void;
}

function PasswordForm({ enter, refuse, askForCode }: PasswordFormProps) {
  const say = useWords();
  const { email, password } = checksOf(say);
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { email: "", password: "" },
    validate: { email, password },
    validateInputOnBlur: true,
  });
  const refusal = useRefusal(form);
  const signing = useSave({
    send: (json: { email: string; password: string }) => answer(api.auth["sign-in"].email.$post({ json })),
    onSaved: enter,
    onRefused: (error) => {
      const { email, password } = form.getValues();
      if (asksForCode(error)) askForCode({ email: email.trim(), password });
      else refusal.show(refusedBy(error, say));
    },
  });
  function send(values: { email: string; password: string }) {
    refusal.clear();
    refuse("");
    signing.mutate({ ...values, email: values.email.trim() });
  }
  return (
    <Form className={styles.form} refused={refusal.whole} onSubmit={form.onSubmit(send)}>
      <TextInput
        label={say("signin.email")}
        type="email"
        autoComplete="username webauthn"
        key={form.key("email")}
        {...form.getInputProps("email")}
      />
      <PasswordInput
        label={say("signin.password")}
        autoComplete="current-password"
        visibilityToggleButtonProps={{ "aria-label": say("show") }}
        key={form.key("password")}
        {...form.getInputProps("password")}
      />
      <Button type="submit" loading={signing.isPending}>
        {say("signin.button")}
      </Button>
    </Form>
  );
}
