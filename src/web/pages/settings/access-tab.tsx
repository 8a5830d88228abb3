import { Button } from "@mantine/core";
import { useState } from "react";
import { answer } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { Switch } from "../../parts/choices.tsx";
import { TextInput } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { MoreOfList } from "../../parts/more-of-list.tsx";
import { Section } from "../../parts/page-head.tsx";
import { ReadOnly } from "../../parts/read-only.tsx";
import { problemsByField, useSave } from "../../parts/save.ts";
import { ErrorCard, Loading } from "../../parts/states.tsx";
import { useUnsaved } from "../../parts/unsaved.tsx";
import { date } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import { ofConnection, useConnectionPlace } from "../setup/setup.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { type Connection, connectionsKey, type OriginShown, useOrigins } from "./queries.ts";
import styles from "./settings.module.css";

/** The customers' access to invoices, and the pages that may frame them. */
export function AccessTab({ connection }: { readonly connection: Connection }) {
  return (
    <>
      <AccessSwitch connection={connection} />
      <Origins />
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
        <ReadOnly isReadOnly={isReadOnly}>
          <Switch
            label={say("access.switch")}
            description={isOn ? say("access.on") : undefined}
            checked={isOn}
            disabled={change.isPending}
            onChange={() => (isOn ? setAsking(true) : change.mutate(true))}
          />
        </ReadOnly>
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

function Origins() {
  const say = useWords();
  const { isReadOnly } = useCompany();
  const place = useConnectionPlace();
  const listed = useOrigins(place);
  const known = listed.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Section title={say("access.origins")} flush>
      <p className={`${styles.pad} muted small`}>{say("access.origins.lead")}</p>
      {listed.isPending && <Loading />}
      {listed.isLoadingError && <ErrorCard error={listed.error} retry={() => void listed.refetch()} />}
      {listed.data && known.length === 0 && (
        <p className={`${styles.pad} muted`}>{say("access.origins.empty")}</p>
      )}
      {known.length > 0 && (
        <ul className={styles.rows}>
          {known.map((one) => (
            <OriginRow key={one.origin} shown={one} />
          ))}
        </ul>
      )}
      <MoreOfList list={listed} label={say("access.origins.more")} className={styles.foot} />
      {!isReadOnly && <AddOrigin />}
    </Section>
  );
}

function OriginRow({ shown }: { readonly shown: OriginShown }) {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  const { origin, state, store, at, refusedAt } = shown;
  const day = (moment: string) => date(moment, account.timeZone);
  const from = store
    ? say("access.origins.from", { store: store.name ?? store.id, date: day(at) })
    : say("access.origins.added", { date: day(at) });
  return (
    <li>
      <span className={styles.grow}>
        {origin}
        <br />
        <span className="muted small">
          {from}
          {state !== "registered" && state !== "reported" && ` ${say(`access.origins.state.${state}`)}`}
          {state === "refused" && refusedAt && ` (${day(refusedAt)})`}
        </span>
      </span>
      {!isReadOnly && <OriginActs shown={shown} />}
    </li>
  );
}

/** A store's origin can only be refused permanently; an owner's origin can be removed. */
function OriginActs({ shown: { origin, state, store } }: { readonly shown: OriginShown }) {
  const say = useWords();
  const place = useConnectionPlace();
  const [isAsking, setAsking] = useState(false);
  const refresh = [connectionsKey(place.account)];
  const remove = useSave({
    send: () => answer(ofConnection.origins.$delete({ param: place, query: { origin } })),
    refresh,
  });
  const refuse = useSave({
    send: () => answer(ofConnection.origins.refusals.$post({ param: place, json: { origin } })),
    refresh,
    onSaved: () => setAsking(false),
  });
  if (state === "refused") return null;
  if (!store) {
    return (
      <Button
        variant="subtle"
        size="xs"
        loading={remove.isPending}
        aria-label={`${say("delete")}: ${origin}`}
        onClick={() => remove.mutate(undefined)}
      >
        {say("delete")}
      </Button>
    );
  }
  return (
    <>
      <Button
        variant="subtle"
        size="xs"
        aria-label={`${say("access.origins.refuse")}: ${origin}`}
        onClick={() => setAsking(true)}
      >
        {say("access.origins.refuse")}
      </Button>
      <ConfirmDialog
        title={say("access.origins.refuse.title")}
        isOpen={isAsking}
        close={() => setAsking(false)}
        act={say("access.origins.refuse")}
        isBusy={refuse.isPending}
        confirm={() => refuse.mutate(undefined)}
      >
        <p>{say("access.origins.refuse.body", { origin })}</p>
      </ConfirmDialog>
    </>
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
  useUnsaved(origin !== "" && !add.isPending);
  return (
    <Form
      className={styles.addForm}
      data-top
      onSubmit={() => {
        if (origin.trim()) add.mutate(undefined);
        else setProblem(say("access.origins.wrong"));
      }}
    >
      <TextInput
        label={say("access.origins.new")}
        description={say("access.origins.hint")}
        type="url"
        value={origin}
        error={problem || undefined}
        onChange={(event) => setOrigin(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={add.isPending}>
        {say("access.origins.add")}
      </Button>
    </Form>
  );
}
