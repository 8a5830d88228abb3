import { Button } from "@mantine/core";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { answer, api } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";
import { paths } from "../../app/paths.ts";
import { useSave } from "../../parts/save.ts";
import { errorText } from "../../parts/states.tsx";
import { useWords } from "../../words/words.tsx";
import { Done, Refused, SignInFrame } from "../sign-in/frame.tsx";
import styles from "../sign-in/sign-in.module.css";

/** Needs a click, because mail scanners open links. */
export function ConfirmEmailPage() {
  const say = useWords();
  return (
    <EmailLink
      send={(token) => answer(api.auth["confirm-email"].$post({ json: { token } }))}
      title={say("security.email.confirm")}
      lead={say("security.email.confirm.lead")}
      button={say("security.email.confirm.button")}
      done={(email) => say("security.email.confirmed", { email })}
    />
  );
}

export function RestoreEmailPage() {
  const say = useWords();
  return (
    <EmailLink
      send={(token) => answer(api.auth["restore-email"].$post({ json: { token } }))}
      title={say("security.email.restore")}
      lead={say("security.email.restore.lead")}
      button={say("security.email.restore.button")}
      done={(email) => say("security.email.restored", { email })}
    />
  );
}

interface EmailLinkProps {
  readonly send: (token: string) => Promise<{ readonly email: string }>;
  readonly title: string;
  readonly lead: string;
  readonly button: string;
  readonly done: (email: string) => string;
}

function EmailLink({ send, title, lead, button, done }: EmailLinkProps) {
  const say = useWords();
  const [search] = useSearchParams();
  const [result, setResult] = useState<{ readonly refused?: string; readonly email?: string }>({});
  const spend = useSave({
    send,
    onSaved: ({ email }) => {
      queries.clear();
      setResult({ email });
    },
    onRefused: (error) => setResult({ refused: errorText(error, say) }),
  });
  return (
    <SignInFrame title={title} lead={result.email ? undefined : lead}>
      <Refused>{result.refused}</Refused>
      {result.email ? (
        <Done>{done(result.email)}</Done>
      ) : (
        <Button loading={spend.isPending} onClick={() => spend.mutate(search.get("token") ?? "")}>
          {button}
        </Button>
      )}
      <div className={styles.links}>
        <Link to={paths.signIn}>{say("signin.title")}</Link>
      </div>
    </SignInFrame>
  );
}
