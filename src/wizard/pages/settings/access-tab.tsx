import { Button, Switch, TextInput } from "@mantine/core";
import { useState } from "react";
import { answer } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { problemsByField, useSave } from "../../parts/save.ts";
import { Section } from "../../parts/section.tsx";
import { date } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import { ofConnection, useConnectionPlace } from "../wizard/setup.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { type Connection, connectionsKey } from "./queries.ts";
import styles from "./settings.module.css";

/** Whether customers see their invoices, and which pages may show them in a frame. */
export function AccessTab({ connection }: { readonly connection: Connection }) {
  return (
    <>
      <AccessSwitch connection={connection} />
      <Origins connection={connection} />
    </>
  );
}

function AccessSwitch({ connection }: { readonly connection: Connection }) {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  const place = useConnectionPlace();
  const [isAsking, setAsking] = useState(false);
  const change = useSave({
    send: (enabled: boolean) => answer(ofConnection.access.$put({ param: place, json: { enabled } })),
    refresh: [connectionsKey(place.account)],
    onSaved: () => setAsking(false),
  });
  const { isOn, switchedAt } = connection.access;
  const since = switchedAt === undefined ? undefined : date(switchedAt, account.timeZone);
  return (
    <Section title={say("access.title")}>
      <div className="stack">
        <Switch
          label={say("access.switch")}
          description={isOn ? say("access.on") : undefined}
          checked={isOn}
          disabled={isReadOnly || change.isPending}
          onChange={() => (isOn ? setAsking(true) : change.mutate(true))}
        />
        {!isOn && since !== undefined && <p>{say("access.off", { date: since })}</p>}
        {isOn && since !== undefined && (
          <p className="muted small">{say("access.on.since", { date: since })}</p>
        )}
      </div>
      <ConfirmDialog
        title={say("access.off.title")}
        isOpen={isAsking}
        close={() => setAsking(false)}
        act={say("access.off.button")}
        isBusy={change.isPending}
        confirm={() => change.mutate(false)}
      >
        <p>{say("access.off.confirm")}</p>
      </ConfirmDialog>
    </Section>
  );
}

function Origins({ connection }: { readonly connection: Connection }) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  const { origins, storeOrigins } = connection;
  const known = [
    ...storeOrigins.map((origin) => ({ origin, isOfStore: true })),
    ...origins
      .filter((origin) => !storeOrigins.includes(origin))
      .map((origin) => ({ origin, isOfStore: false })),
  ];
  return (
    <Section title={say("access.origins")} flush>
      {known.length === 0 ? (
        <p className={`${styles.pad} muted`}>{say("access.origins.empty")}</p>
      ) : (
        <ul className={styles.rows}>
          {known.map((one) => (
            <OriginRow key={one.origin} {...one} />
          ))}
        </ul>
      )}
      {!isReadOnly && <AddOrigin />}
    </Section>
  );
}

function OriginRow({ origin, isOfStore }: { readonly origin: string; readonly isOfStore: boolean }) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  const place = useConnectionPlace();
  const remove = useSave({
    send: () => answer(ofConnection.origins.$delete({ param: place, query: { origin } })),
    refresh: [connectionsKey(place.account)],
  });
  return (
    <li>
      <span className={styles.grow}>{origin}</span>
      {isOfStore ? (
        <span className="muted small">{say("access.origins.store")}</span>
      ) : (
        !isReadOnly && (
          <Button
            variant="subtle"
            size="xs"
            loading={remove.isPending}
            aria-label={`${say("delete")}: ${origin}`}
            onClick={() => remove.mutate(undefined)}
          >
            {say("delete")}
          </Button>
        )
      )}
    </li>
  );
}

function AddOrigin() {
  const say = useWords();
  const place = useConnectionPlace();
  const [origin, setOrigin] = useState("");
  const [problem, setProblem] = useState("");
  const add = useSave({
    send: () => answer(ofConnection.origins.$post({ param: place, json: { origin } })),
    refresh: [connectionsKey(place.account)],
    onSaved: () => {
      setOrigin("");
      setProblem("");
    },
    onRefused: (error) => setProblem(Object.values(problemsByField(error, say))[0] ?? ""),
  });
  return (
    <form
      className={styles.addForm}
      data-top
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (origin.trim()) add.mutate(undefined);
        else setProblem(say("form.https"));
      }}
    >
      <TextInput
        label={say("access.origins.new")}
        description={problem ? undefined : say("access.origins.hint")}
        inputWrapperOrder={["label", "input", "error", "description"]}
        type="url"
        value={origin}
        error={problem || undefined}
        onChange={(event) => setOrigin(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={add.isPending}>
        {say("access.origins.add")}
      </Button>
    </form>
  );
}
