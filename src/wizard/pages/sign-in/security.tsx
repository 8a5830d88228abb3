import { Button, PasswordInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { auth } from "../../app/auth.ts";
import { paths } from "../../app/paths.ts";
import { date } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import { SignInFrame } from "./frame.tsx";
import { knowsPasskeys } from "./passkeys.ts";
import { checksOf, refusedBy } from "./refusals.ts";
import styles from "./sign-in.module.css";

/** What lets this person in: the password and the passkeys. */
export function SecurityPage() {
  const say = useWords();
  return (
    <SignInFrame title={say("security.title")} isWide>
      <PasswordChange />
      <Passkeys />
      <div className={styles.links}>
        <Link to={paths.home}>{say("error.home")}</Link>
      </div>
    </SignInFrame>
  );
}

function PasswordChange() {
  const say = useWords();
  const [told, setTold] = useState<{ readonly refused?: string; readonly isDone?: boolean }>({});
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { current: "", password: "" },
    validate: { current: checksOf(say).password, password: checksOf(say).newPassword },
    validateInputOnBlur: true,
  });
  async function send({ current, password }: { current: string; password: string }) {
    const change = { currentPassword: current, newPassword: password, revokeOtherSessions: true };
    const { error } = await auth.changePassword(change);
    if (!error) {
      form.reset();
      return setTold({ isDone: true });
    }
    const { "": whole, ...fields } = refusedBy(error, say);
    form.setErrors(fields);
    setTold(whole ? { refused: whole } : {});
  }
  const show = { "aria-label": say("show") };
  return (
    <section className={styles.form} aria-label={say("security.password")}>
      {told.refused && (
        <p className={styles.refused} role="alert">
          {told.refused}
        </p>
      )}
      {told.isDone && (
        <p className={styles.done} role="status">
          {say("security.changed")}
        </p>
      )}
      <form className={styles.form} noValidate onSubmit={form.onSubmit((values) => void send(values))}>
        <PasswordInput
          label={say("security.current")}
          autoComplete="current-password"
          visibilityToggleButtonProps={show}
          key={form.key("current")}
          {...form.getInputProps("current")}
        />
        <PasswordInput
          label={say("security.new")}
          description={say("signup.password_hint")}
          inputWrapperOrder={["label", "input", "error", "description"]}
          autoComplete="new-password"
          visibilityToggleButtonProps={show}
          key={form.key("password")}
          {...form.getInputProps("password")}
        />
        <Button type="submit" variant="default">
          {say("security.password")}
        </Button>
      </form>
    </section>
  );
}

const PASSKEYS = ["passkeys"] as const;

function Passkeys() {
  const say = useWords();
  const client = useQueryClient();
  const [refused, setRefused] = useState("");
  const known = useQuery({
    queryKey: PASSKEYS,
    queryFn: async () => (await auth.passkey.listUserPasskeys()).data ?? [],
  });
  async function change(doing: Promise<{ readonly error?: unknown } | undefined>) {
    const result = await doing;
    setRefused(result?.error ? say("security.passkeys.failed") : "");
    await client.invalidateQueries({ queryKey: PASSKEYS });
  }
  return (
    <section className={styles.form} aria-labelledby="passkeys">
      <h2 id="passkeys">{say("security.passkeys")}</h2>
      <p className="muted">{say("security.passkeys.lead")}</p>
      {refused && (
        <p className={styles.refused} role="alert">
          {refused}
        </p>
      )}
      {known.data?.length === 0 && <p>{say("security.passkeys.none")}</p>}
      <ul className={styles.keys}>
        {(known.data ?? []).map(({ id, name, createdAt }) => (
          <li key={id}>
            <span>
              {name ?? say("security.passkeys.unnamed")}
              <span className="muted small">
                {" · "}
                {say("security.passkeys.created", { date: date(new Date(createdAt).toISOString()) })}
              </span>
            </span>
            <Button
              variant="subtle"
              size="xs"
              onClick={() => void change(auth.passkey.deletePasskey({ id }))}
            >
              {say("delete")}
            </Button>
          </li>
        ))}
      </ul>
      {knowsPasskeys() && (
        <Button variant="default" onClick={() => void change(auth.passkey.addPasskey())}>
          {say("security.passkeys.add")}
        </Button>
      )}
    </section>
  );
}
