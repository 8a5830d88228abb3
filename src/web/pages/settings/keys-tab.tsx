import { Button } from "@mantine/core";
import { IconKey } from "@tabler/icons-react";
import { useState } from "react";
import { answer } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { Section } from "../../parts/page-head.tsx";
import { useSave } from "../../parts/save.ts";
import { Empty } from "../../parts/states.tsx";
import { date } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import { ofConnection, useConnectionPlace } from "../setup/setup.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { type Connection, connectionsKey } from "./queries.ts";
import { SecretDialog } from "./secret-dialog.tsx";
import styles from "./settings.module.css";

const MOST_ALIVE = 2;

type Key = Connection["keys"][number];

/** The active keys: the one in use and, for a while, its replacement. */
export function KeysTab({ connection }: { readonly connection: Connection }) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  const place = useConnectionPlace();
  const [leaving, setLeaving] = useState<Key>();
  const [made, setMade] = useState<string>();
  const create = useSave({
    send: () => answer(ofConnection.keys.$post({ param: place })),
    refresh: [connectionsKey(place.account)],
    onSaved: ({ key }) => setMade(key),
  });
  const { keys } = connection;
  const isFull = keys.length >= MOST_ALIVE;
  return (
    <>
      <Section title={say("conn.tab.keys")} flush>
        {keys.length === 0 ? (
          <Empty text={say("keys.none")} />
        ) : (
          <ul className={styles.rows}>
            {keys.map((key) => (
              <KeyRow key={key.id} shown={key} retire={() => setLeaving(key)} />
            ))}
          </ul>
        )}
        {!isReadOnly && (
          <div className={styles.foot}>
            <p className="muted small text-column">{say(isFull ? "keys.full" : "keys.rotate.body")}</p>
            {!isFull && (
              <Button
                style={{ marginLeft: "auto" }}
                variant="default"
                loading={create.isPending}
                onClick={() => create.mutate(undefined)}
              >
                {say("keys.rotate")}
              </Button>
            )}
          </div>
        )}
      </Section>
      <SecretDialog
        title={say("keys.new")}
        lead={say("step1.key.once")}
        secret={made}
        done={say("step1.key.copied")}
        close={() => setMade(undefined)}
      />
      {leaving && (
        <RetireDialog shown={leaving} isLast={keys.length === 1} close={() => setLeaving(undefined)} />
      )}
    </>
  );
}

function KeyRow({ shown, retire }: { readonly shown: Key; readonly retire: () => void }) {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  return (
    <li>
      <IconKey size={20} stroke={1.75} aria-hidden />
      <div className={styles.grow}>
        <b>{shown.tail ? say("keys.tail", { tail: shown.tail }) : say("keys.old")}</b>
        <br />
        <span className="muted small">
          {say("keys.created", { date: date(shown.createdAt, account.timeZone) })}
        </span>
      </div>
      {!isReadOnly && (
        <Button variant="default" size="xs" onClick={retire}>
          {shown.tail ? say("keys.revoke", { tail: shown.tail }) : say("keys.revoke.old")}
        </Button>
      )}
    </li>
  );
}

interface RetireDialogProps {
  readonly shown: Key;
  readonly isLast: boolean;
  readonly close: () => void;
}

function RetireDialog({ shown, isLast, close }: RetireDialogProps) {
  const say = useWords();
  const place = useConnectionPlace();
  const revoke = useSave({
    send: () => answer(ofConnection.keys[":key"].$delete({ param: { ...place, key: shown.id } })),
    refresh: [connectionsKey(place.account)],
    onSaved: close,
  });
  const name = shown.tail ? say("keys.revoke", { tail: shown.tail }) : say("keys.revoke.old");
  return (
    <ConfirmDialog
      title={name}
      isOpen
      close={close}
      act={say("keys.revoke.button")}
      isBusy={revoke.isPending}
      confirm={() => revoke.mutate(undefined)}
    >
      <p>{say(isLast ? "keys.revoke.last" : "keys.revoke.body")}</p>
    </ConfirmDialog>
  );
}
