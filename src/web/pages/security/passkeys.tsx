import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type PasskeyRefused, passkeys, signInAgain } from "../../app/auth.ts";
import { date } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import { knowsPasskeys } from "../sign-in/passkeys.ts";
import styles from "../sign-in/sign-in.module.css";
import { Refused } from "../sign-in/told.tsx";

const PASSKEYS = ["passkeys"] as const;

export function Passkeys() {
  const say = useWords();
  const client = useQueryClient();
  const [refused, setRefused] = useState("");
  const known = useQuery({ queryKey: PASSKEYS, queryFn: passkeys.list });
  async function change(doing: Promise<PasskeyRefused | undefined>) {
    const told = await doing;
    if (told?.code === "sign_in_again") return signInAgain();
    setRefused(told ? say("security.passkeys.failed") : "");
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
