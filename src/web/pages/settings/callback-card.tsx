import { Button } from "@mantine/core";
import { useState } from "react";
import { answer } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { TextInput } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { NewerNotice, useNewer } from "../../parts/newer.tsx";
import { Section } from "../../parts/page-head.tsx";
import { problemsByField, useSave } from "../../parts/save.ts";
import { shortMoment } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import { ofConnection, useConnectionPlace } from "../setup/setup.ts";
import { outcomeText } from "./delivery-log.tsx";
import { type Connection, connectionsKey } from "./queries.ts";
import type { HookSecret } from "./secret-dialog.tsx";
import styles from "./settings.module.css";

interface CallbackCardProps {
  readonly connection: Connection;
  readonly show: (secret: HookSecret) => void;
}

/** The callback address of the shop. */
export function CallbackCard({ connection, show }: CallbackCardProps) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  const { callback } = connection;
  return (
    <Section title={say("callback.title")} flush>
      <p className={`${styles.pad} text-column`}>{say("callback.lead")}</p>
      {callback && <CallbackState callback={callback} />}
      {!isReadOnly && (
        <CallbackForm url={callback?.url ?? ""} version={connection.versions.callback} show={show} />
      )}
    </Section>
  );
}

function CallbackState({ callback }: { readonly callback: NonNullable<Connection["callback"]> }) {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  const place = useConnectionPlace();
  const refresh = [connectionsKey(place.account)];
  const ask = useSave({
    send: () => answer(ofConnection.callback.calls.$post({ param: place })),
    refresh,
    said: say("callback.asked"),
  });
  const remove = useSave({ send: () => answer(ofConnection.callback.$delete({ param: place })), refresh });
  const { url, lastAt, nextAt, lastOutcome } = callback;
  const moment = (at: string) => shortMoment(at, account.timeZone);
  return (
    <div className={styles.hook}>
      <div>
        <h3>{url}</h3>
        <span className="muted small">
          {lastAt && lastOutcome
            ? say("callback.last", { when: moment(lastAt), what: outcomeText(lastOutcome, say) })
            : say("callback.never")}
          {nextAt && ` ${say("callback.next", { when: moment(nextAt) })}`}
        </span>
      </div>
      {!isReadOnly && (
        <div className="row">
          <Button variant="default" size="xs" loading={ask.isPending} onClick={() => ask.mutate(undefined)}>
            {say("conn.pull")}
          </Button>
          <Button
            variant="subtle"
            size="xs"
            loading={remove.isPending}
            onClick={() => remove.mutate(undefined)}
          >
            {say("delete")}
          </Button>
        </div>
      )}
    </div>
  );
}

interface CallbackFormProps {
  readonly url: string;
  readonly version: string;
  readonly show: (secret: HookSecret) => void;
}

function CallbackForm({ url, version, show }: CallbackFormProps) {
  const say = useWords();
  const place = useConnectionPlace();
  const [typed, setTyped] = useState(url);
  const [problem, setProblem] = useState("");
  const newer = useNewer({
    read: { version, values: { url } },
    typed: { url: typed },
    take: (values) => setTyped(values.url),
    readAgain: connectionsKey(place.account),
  });
  const save = useSave({
    send: () =>
      newer.send((version) =>
        answer(ofConnection.callback.$put({ param: place, json: { url: typed, version } })),
      ),
    refresh: [connectionsKey(place.account)],
    onSaved: ({ secret }) => {
      setProblem("");
      newer.saved();
      show({ secret, shownBefore: "callback.secret.before" });
    },
    onRefused: (error) =>
      setProblem(newer.isRefusedBy(error) ? "" : (Object.values(problemsByField(error, say))[0] ?? "")),
  });
  const { before } = newer;
  const changes = before
    ? [{ what: say("callback.url"), before: before.url || "—", after: newer.base.values.url || "—" }]
    : [];
  return (
    <Form
      className={styles.addForm}
      data-top
      onSubmit={() => {
        if (/^https:\/\//i.test(typed.trim())) save.mutate(undefined);
        else setProblem(say("hooks.url.wrong"));
      }}
    >
      <NewerNotice newer={newer} changes={changes} />
      <TextInput
        label={say("callback.url")}
        description={say("hooks.url.hint")}
        type="url"
        value={typed}
        error={problem || undefined}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={save.isPending}>
        {say(url ? "callback.change" : "callback.add")}
      </Button>
    </Form>
  );
}
