import { Button } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { answer, api } from "../../api/client.ts";
import { pageAfterSignUp } from "../../app/after-sign-up.ts";
import { paths } from "../../app/paths.ts";
import { TextInput } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { useRefusal } from "../../parts/refusal.ts";
import { useSave } from "../../parts/save.ts";
import { useWords } from "../../words/words.tsx";
import { CodeForm } from "./code-form.tsx";
import { Done, SignInFrame } from "./frame.tsx";
import { PasswordForm } from "./password-form.tsx";
import { checksOf, refusedBy } from "./refusals.ts";
import styles from "./sign-in.module.css";

/** Asks for the link; with the link's token, chooses the password. */
export function PasswordPage() {
  const [search] = useSearchParams();
  const token = search.get("token");
  return token === null ? <AskForLink /> : <ChoosePassword token={token} />;
}

function AskForLink() {
  const say = useWords();
  const [sentTo, setSentTo] = useState("");
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { email: "" },
    validate: { email: checksOf(say).email },
    validateInputOnBlur: true,
  });
  const refusal = useRefusal(form);
  const ask = useSave({
    send: (email: string) => answer(api.auth["request-password-reset"].$post({ json: { email } })),
    onSaved: (_, email) => setSentTo(email),
    onRefused: (error) => refusal.show(refusedBy(error, say)),
  });
  return (
    <SignInFrame title={say("reset.title")} lead={sentTo ? undefined : say("reset.lead")}>
      {sentTo ? (
        <Done>{say("reset.sent", { email: sentTo })}</Done>
      ) : (
        <Form
          className={styles.form}
          refused={refusal.whole}
          onSubmit={form.onSubmit(({ email }) => ask.mutate(email.trim()))}
        >
          <TextInput
            label={say("signin.email")}
            type="email"
            autoComplete="email"
            key={form.key("email")}
            {...form.getInputProps("email")}
          />
          <Button type="submit" loading={ask.isPending}>
            {say("reset.button")}
          </Button>
        </Form>
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
  const [chosen, setChosen] = useState<string>();
  const send = (newPassword: string, code?: string) =>
    answer(api.auth["reset-password"].$post({ json: { newPassword, token, ...(code ? { code } : {}) } }));
  // After the sign-up the person is signed in; after a recovery they must sign in.
  const saved = ({ signedIn }: { readonly signedIn: boolean }) =>
    signedIn ? window.location.assign(pageAfterSignUp()) : setDone(true);
  return (
    <SignInFrame title={say(chosen === undefined || isDone ? "reset.choose" : "security.totp")}>
      {isDone && <Done>{say("reset.done")}</Done>}
      {!isDone && chosen !== undefined && (
        <CodeForm
          isNext
          hint={say("security.totp.either")}
          button={say("reset.choose.button")}
          send={(code) => send(chosen, code)}
          onSaved={saved}
          back={() => setChosen(undefined)}
        />
      )}
      {!isDone && chosen === undefined && (
        <PasswordForm
          button={say("reset.choose.button")}
          send={({ password }) => send(password)}
          onSaved={saved}
          askForCode={({ password }) => setChosen(password)}
          remedy={<Link to={paths.forgotten}>{say("reset.again")}</Link>}
        />
      )}
      <div className={styles.links}>
        <Link to={paths.signIn}>{say("signin.title")}</Link>
      </div>
    </SignInFrame>
  );
}
