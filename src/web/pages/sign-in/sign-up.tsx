import { Button } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useEffect, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { answer, api } from "../../api/client.ts";
import { keepForLater } from "../../app/after-sign-up.ts";
import { paths } from "../../app/paths.ts";
import { TextInput } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { useSave } from "../../parts/save.ts";
import { useWords } from "../../words/words.tsx";
import { Done, Refused, SignInFrame } from "./frame.tsx";
import { checksOf, refusedBy } from "./refusals.ts";
import styles from "./sign-in.module.css";

interface Person {
  readonly name: string;
  readonly email: string;
}

const AGAIN_SECONDS = 60;

/** Name and address; the password is chosen by the link that is mailed. */
export function SignUpPage() {
  const say = useWords();
  const [search] = useSearchParams();
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({});
  const [sent, setSent] = useState<{ readonly to: Person; readonly times: number }>();
  const join = useSave({
    send: (json: Person) => answer(api.auth["sign-up"].email.$post({ json })),
    onSaved: (_, to) => {
      keepForLater(search);
      setSent((before) => ({ to, times: (before?.times ?? 0) + 1 }));
    },
    onRefused: (error) => setRefused(refusedBy(error, say)),
  });
  function send(person: Person) {
    setRefused({});
    join.mutate(person);
  }
  return (
    <SignInFrame
      title={say(sent ? "signup.sent" : "signup.title")}
      {...(sent ? {} : { lead: say("signup.lead") })}
    >
      {sent && <Refused>{refused[""]}</Refused>}
      {sent ? (
        <Sent key={sent.times} to={sent.to} isBusy={join.isPending} again={() => send(sent.to)} />
      ) : (
        <PersonForm send={send} isBusy={join.isPending} refused={refused} />
      )}
      <div className={styles.links}>
        <Link to={{ pathname: paths.signIn, search: search.toString() }}>{say("signin.known")}</Link>
      </div>
    </SignInFrame>
  );
}

interface SentProps {
  readonly to: Person;
  readonly isBusy: boolean;
  readonly again: () => void;
}

function Sent({ to, isBusy, again }: SentProps) {
  const say = useWords();
  const [left, setLeft] = useState(AGAIN_SECONDS);
  useEffect(() => {
    if (left <= 0) return undefined;
    const timer = window.setTimeout(() => setLeft(left - 1), 1_000);
    return () => window.clearTimeout(timer);
  }, [left]);
  return (
    <>
      <Done>{say("signup.sent.lead", { email: to.email })}</Done>
      {left > 0 ? (
        <p className="muted">{say("signup.sent.wait", { seconds: left })}</p>
      ) : (
        <Button variant="default" loading={isBusy} onClick={again}>
          {say("signup.sent.again")}
        </Button>
      )}
    </>
  );
}

interface PersonFormProps {
  readonly send: (person: Person) => void;
  readonly isBusy: boolean;
  readonly refused: Readonly<Record<string, string>>;
}

function PersonForm({ send, isBusy, refused }: PersonFormProps) {
  const say = useWords();
  const { name, email } = checksOf(say);
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { name: "", email: "" },
    validate: { name, email },
    validateInputOnBlur: true,
  });
  const { setErrors } = form;
  const { "": whole = "", ...fields } = refused;
  const found = JSON.stringify(fields);
  useEffect(() => setErrors(JSON.parse(found)), [found, setErrors]);
  return (
    <Form
      className={styles.form}
      refused={whole}
      onSubmit={form.onSubmit((values) => send({ name: values.name.trim(), email: values.email.trim() }))}
    >
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
      <Button type="submit" loading={isBusy}>
        {say("signup.button")}
      </Button>
    </Form>
  );
}
