import { Button } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { answer, api } from "../../api/client.ts";
import { leave, type PasskeyRefused, passkeys, signInAgain } from "../../app/auth.ts";
import { paths } from "../../app/paths.ts";
import { useMe } from "../../app/session.tsx";
import { TextInput } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { useRefusal } from "../../parts/refusal.ts";
import { problemsByField, useSave } from "../../parts/save.ts";
import { ErrorCard, Loading } from "../../parts/states.tsx";
import { useUnsaved } from "../../parts/unsaved.tsx";
import { date, shortMoment } from "../../words/format.ts";
import { isWord, useWords } from "../../words/words.tsx";
import { Done, Refused, SignInFrame } from "../sign-in/frame.tsx";
import { knowsPasskeys } from "../sign-in/passkeys.ts";
import { PasswordForm } from "../sign-in/password-form.tsx";
import { checksOf, refusedBy } from "../sign-in/refusals.ts";
import styles from "../sign-in/sign-in.module.css";
import { whenFresh } from "./fresh.ts";
import { SESSIONS } from "./queries.ts";
import { TwoStep } from "./two-step.tsx";

/** The person's sign-in methods and sessions. */
export function SecurityPage() {
  const say = useWords();
  const me = useMe();
  if (me.isPending) return <Loading />;
  if (me.isLoadingError) return <ErrorCard error={me.error} retry={() => void me.refetch()} />;
  const { email } = me.data.user;
  return (
    <SignInFrame title={say("security.title")} isWide>
      <PasswordChange />
      <TwoStep />
      <Passkeys />
      <Sessions />
      <EmailChange email={email} />
      <OwnActivity />
      <DeleteLogin email={email} />
      <div className={styles.links}>
        <Link to={paths.home}>{say("error.home")}</Link>
      </div>
    </SignInFrame>
  );
}

export function PasswordChange() {
  const say = useWords();
  const [isDone, setDone] = useState(false);
  return (
    <section className={styles.form} aria-label={say("security.password")}>
      {isDone && <Done>{say("security.changed")}</Done>}
      <PasswordForm
        currentLabel={say("security.current")}
        button={say("security.password")}
        variant="default"
        send={({ current, password }) => {
          setDone(false);
          const json = { currentPassword: current, newPassword: password };
          return answer(api.auth["change-password"].$post({ json }));
        }}
        refresh={[SESSIONS]}
        onSaved={() => setDone(true)}
      />
    </section>
  );
}

/** Recent events of this person's sign-in methods. */
export function OwnActivity() {
  const say = useWords();
  const page = useQuery({
    queryKey: ["own-activity"],
    queryFn: () => answer(api.me.activity.$get({ query: {} })),
  });
  const items = page.data?.items ?? [];
  return (
    <section className={styles.form} aria-labelledby="own-activity">
      <h2 id="own-activity">{say("security.activity")}</h2>
      {page.isError && <ErrorCard error={page.error} retry={() => void page.refetch()} />}
      {page.data && items.length === 0 && <p>{say("security.activity.none")}</p>}
      <ul className={styles.keys}>
        {items.map(({ event, at, count, device }) => {
          const word = `security.event.${event}`;
          return (
            <li key={`${at} ${event}`}>
              <span>
                {isWord(word) ? say(word) : event}
                <span className="muted small">
                  {[shortMoment(at), device, count > 1 ? say("security.activity.times", { n: count }) : null]
                    .filter((part) => part !== null)
                    .map((part) => ` · ${part}`)
                    .join("")}
                </span>
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** The old address counts until the link to the new one is opened. */
export function EmailChange({ email }: { readonly email: string }) {
  const say = useWords();
  const [sentTo, setSentTo] = useState("");
  const form = useForm({
    initialValues: { email: "" },
    validate: { email: checksOf(say).email },
    validateInputOnBlur: true,
  });
  const refusal = useRefusal(form);
  const ask = useSave({
    send: (becomes: string) => answer(api.me.email.$post({ json: { email: becomes } })),
    onSaved: (_, to) => {
      form.reset();
      setSentTo(to);
    },
    onRefused: (error) => void whenFresh(error, () => refusal.show(problemsByField(error, say))),
  });
  useUnsaved(form.isDirty() && !ask.isPending);
  return (
    <section className={styles.form} aria-labelledby="email">
      <h2 id="email">{say("security.email")}</h2>
      <p className="muted">{say("security.email.lead", { email })}</p>
      {sentTo && <Done>{say("security.email.sent", { email: sentTo })}</Done>}
      <Form
        className={styles.form}
        refused={refusal.whole}
        onSubmit={form.onSubmit((values) => {
          setSentTo("");
          refusal.clear();
          ask.mutate(values.email.trim());
        })}
      >
        <TextInput
          label={say("security.email.new")}
          type="email"
          autoComplete="email"
          {...form.getInputProps("email")}
        />
        <Button type="submit" variant="default" loading={ask.isPending}>
          {say("security.email.button")}
        </Button>
      </Form>
    </section>
  );
}

/** The deletion is final, so the person must type the address. */
export function DeleteLogin({ email }: { readonly email: string }) {
  const say = useWords();
  const required = say("form.required", { field: say("security.delete.email.the") });
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { email: "" },
    validate: { email: (value) => (value.trim() ? null : required) },
  });
  const refusal = useRefusal(form);
  const deletion = useSave({
    send: (typed: string) => answer(api.me.$delete({ json: { email: typed } })),
    onSaved: leave,
    onRefused: (error) => void whenFresh(error, () => refusal.show(refusedBy(error, say))),
  });
  return (
    <section className={styles.form} aria-labelledby="delete-login">
      <h2 id="delete-login">{say("security.delete")}</h2>
      <p className="muted">{say("security.delete.lead")}</p>
      <Form
        className={styles.form}
        refused={refusal.whole}
        onSubmit={form.onSubmit((values) => {
          refusal.clear();
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
      </Form>
    </section>
  );
}

const PASSKEYS = ["passkeys"] as const;

export function Passkeys() {
  const say = useWords();
  const client = useQueryClient();
  const [refused, setRefused] = useState("");
  const known = useQuery({ queryKey: PASSKEYS, queryFn: passkeys.list });
  async function change(doing: Promise<PasskeyRefused | undefined>) {
    const refusal = await doing;
    if (refusal?.code === "sign_in_again") return signInAgain();
    setRefused(refusal ? say("security.passkeys.failed") : "");
    await client.invalidateQueries({ queryKey: PASSKEYS });
  }
  return (
    <section className={styles.form} aria-labelledby="passkeys">
      <h2 id="passkeys">{say("security.passkeys")}</h2>
      <p className="muted">{say("security.passkeys.lead")}</p>
      <Refused>{refused}</Refused>
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
            <Button variant="subtle" size="xs" onClick={() => void change(passkeys.remove(id))}>
              {say("delete")}
            </Button>
          </li>
        ))}
      </ul>
      {knowsPasskeys() && (
        <Button variant="default" onClick={() => void change(passkeys.add())}>
          {say("security.passkeys.add")}
        </Button>
      )}
    </section>
  );
}

/** The person's sessions; each can be closed here. */
export function Sessions() {
  const say = useWords();
  const known = useQuery({ queryKey: SESSIONS, queryFn: () => answer(api.me.sessions.$get()) });
  const close = useSave({
    send: (session: string) => answer(api.me.sessions[":session"].$delete({ param: { session } })),
    refresh: [SESSIONS],
  });
  const closeOthers = useSave({
    send: () => answer(api.me.sessions.$delete()),
    refresh: [SESSIONS],
  });
  const sessions = known.data?.sessions ?? [];
  return (
    <section className={styles.form} aria-labelledby="sessions">
      <h2 id="sessions">{say("security.sessions")}</h2>
      <p className="muted">{say("security.sessions.lead")}</p>
      {known.isError && <ErrorCard error={known.error} retry={() => void known.refetch()} />}
      <ul className={styles.keys}>
        {sessions.map(({ id, device, firstSeenAt, lastSeenAt, current }) => {
          const name = device ?? say("security.sessions.unknown");
          const [first, last] = [shortMoment(firstSeenAt), shortMoment(lastSeenAt)];
          return (
            <li key={id}>
              <span>
                {name}
                <span className="muted small">
                  {" · "}
                  {say("security.sessions.seen", { first, last })}
                </span>
              </span>
              {current ? (
                <span className="small">{say("security.sessions.current")}</span>
              ) : (
                <Button
                  variant="subtle"
                  size="xs"
                  aria-label={say("security.sessions.close_of", { device: name, first })}
                  onClick={() => close.mutate(id)}
                >
                  {say("security.sessions.close")}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      {sessions.length > 1 && (
        <Button variant="default" loading={closeOthers.isPending} onClick={() => closeOthers.mutate()}>
          {say("security.sessions.close_others")}
        </Button>
      )}
    </section>
  );
}
