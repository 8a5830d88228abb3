import { useState } from "react";
import { answer, api } from "../../api/client.ts";
import { useWords } from "../../words/words.tsx";
import { PasswordForm } from "../sign-in/password-form.tsx";
import styles from "../sign-in/sign-in.module.css";
import { Done } from "../sign-in/told.tsx";
import { SESSIONS } from "./sessions.tsx";

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
