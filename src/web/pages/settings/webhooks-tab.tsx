import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { WEBHOOK_EVENTS } from "../../../domain/webhook/event.ts";
import { answer } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { Checkbox } from "../../parts/choices.tsx";
import { TextInput } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { NewerNotice, useNewer } from "../../parts/newer.tsx";
import { Section } from "../../parts/page-head.tsx";
import { problemsByField, useSave } from "../../parts/save.ts";
import { StateMark } from "../../parts/state-mark.tsx";
import { Empty, ErrorCard, Loading } from "../../parts/states.tsx";
import { useUnsaved } from "../../parts/unsaved.tsx";
import { date } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import { type ConnectionPlace, ofConnection, useConnectionPlace } from "../setup/setup.ts";
import { CallbackCard } from "./callback-card.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { DeliveryLog, deliveriesKey } from "./delivery-log.tsx";
import type { Connection } from "./queries.ts";
import { type HookSecret, HookSecretDialog } from "./secret-dialog.tsx";
import styles from "./settings.module.css";

function webhooksKey({ account, connection }: ConnectionPlace) {
  return ["webhooks", account, connection] as const;
}

/** The webhook addresses of the owner's programs, and the callback address of the shop. */
export function WebhooksTab({ connection }: { readonly connection: Connection }) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  const place = useConnectionPlace();
  const [secret, setSecret] = useState<HookSecret>();
  const listed = useQuery({
    queryKey: webhooksKey(place),
    queryFn: async () => (await answer(ofConnection.webhooks.$get({ param: place }))).webhooks,
  });
  if (listed.isPending) return <Loading />;
  if (listed.isLoadingError) return <ErrorCard error={listed.error} retry={() => void listed.refetch()} />;
  return (
    <>
      <Section title={say("hooks.title")} flush>
        {listed.data.length === 0 && <Empty text={say("hooks.empty")} />}
        {listed.data.map((webhook) => (
          <WebhookCard key={webhook.id} webhook={webhook} show={setSecret} />
        ))}
        {!isReadOnly && <AddWebhook show={setSecret} />}
      </Section>
      {connection.takesOrders && <CallbackCard connection={connection} show={setSecret} />}
      <HookSecretDialog secret={secret} close={() => setSecret(undefined)} />
    </>
  );
}

function AddWebhook({ show }: { readonly show: (secret: HookSecret) => void }) {
  const say = useWords();
  const place = useConnectionPlace();
  const [url, setUrl] = useState("");
  const [events, setEvents] = useState<string[]>([...WEBHOOK_EVENTS]);
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const add = useSave({
    send: () => answer(ofConnection.webhooks.$post({ param: place, json: { url, events } })),
    refresh: [webhooksKey(place)],
    onSaved: ({ secret }) => {
      setUrl("");
      setProblems({});
      show({ secret, shownBefore: "hooks.secret.before" });
    },
    onRefused: (error) => setProblems(problemsByField(error, say)),
  });
  useUnsaved(url !== "" && !add.isPending);
  return (
    <Form
      className={styles.hook}
      onSubmit={() => {
        if (/^https:\/\//i.test(url.trim())) add.mutate(undefined);
        else setProblems({ url: say("hooks.url.wrong") });
      }}
    >
      <TextInput
        label={say("hooks.url")}
        description={say("hooks.url.hint")}
        type="url"
        value={url}
        error={problems.url ?? problems[""]}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <EventChoice events={events} change={setEvents} error={problems.events} />
      <div>
        <Button type="submit" variant="default" loading={add.isPending}>
          {say("hooks.add")}
        </Button>
      </div>
    </Form>
  );
}

interface EventChoiceProps {
  readonly events: string[];
  readonly change: (events: string[]) => void;
  readonly error: string | undefined;
}

function EventChoice({ events, change, error }: EventChoiceProps) {
  const say = useWords();
  return (
    <Checkbox.Group label={say("hooks.events")} value={events} onChange={change} error={error}>
      <div className={styles.events} style={{ marginTop: 8 }}>
        {WEBHOOK_EVENTS.map((event) => (
          <Checkbox key={event} value={event} label={say(`hooks.event.${event}`)} />
        ))}
      </div>
    </Checkbox.Group>
  );
}

interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly rotating: boolean;
  readonly createdAt: string;
  readonly version: string;
  readonly ended?: { readonly because: "removed" | "gone" | "url_not_allowed" } | undefined;
}

interface WebhookCardProps {
  readonly webhook: Webhook;
  readonly show: (secret: HookSecret) => void;
}

/** One address with its deliveries. */
function WebhookCard({ webhook, show }: WebhookCardProps) {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  const [isLogOpen, setLogOpen] = useState(false);
  const [isEditing, setEditing] = useState(false);
  const { url, events, ended, rotating, createdAt } = webhook;
  return (
    <article className={styles.hook}>
      <div>
        <h3>{url}</h3>
        <span className="muted small">
          {say("hooks.since", { date: date(createdAt, account.timeZone) })}
          {" · "}
          {events.map((event) => say(eventWord(event))).join(", ")}
        </span>
      </div>
      {ended && <StateMark tone="cancelled">{say(`hooks.ended.${ended.because}`)}</StateMark>}
      {!ended && rotating && <StateMark tone="decide">{say("hooks.rotating")}</StateMark>}
      {isEditing && <EventsForm webhook={webhook} close={() => setEditing(false)} />}
      <div className="row">
        <Button variant="default" size="xs" aria-expanded={isLogOpen} onClick={() => setLogOpen(!isLogOpen)}>
          {say(isLogOpen ? "hooks.log.hide" : "hooks.log")}
        </Button>
        {!ended && !isReadOnly && (
          <WebhookActs
            webhook={webhook}
            show={show}
            edit={() => setEditing(true)}
            open={() => setLogOpen(true)}
          />
        )}
      </div>
      {isLogOpen && <DeliveryLog webhook={webhook.id} canResend={!ended && !isReadOnly} />}
    </article>
  );
}

function eventWord(event: string) {
  // The API answers only events of its own list, and each has its words.
  return `hooks.event.${event}` as "hooks.event.invoice.issued";
}

interface WebhookActsProps extends WebhookCardProps {
  readonly edit: () => void;
  readonly open: () => void;
}

function WebhookActs({ webhook, show, edit, open }: WebhookActsProps) {
  const say = useWords();
  const place = useConnectionPlace();
  const [isLeaving, setLeaving] = useState(false);
  const param = { ...place, webhook: webhook.id };
  const refresh = [webhooksKey(place), deliveriesKey(webhook.id)];
  const hook = ofConnection.webhooks[":webhook"];
  const test = useSave({ send: () => answer(hook.tests.$post({ param })), refresh, onSaved: open });
  const rotate = useSave({
    send: () => answer(hook.secrets.$post({ param })),
    refresh,
    onSaved: ({ secret }) => show({ secret, shownBefore: "hooks.rotate.before" }),
  });
  const end = useSave({ send: () => answer(hook.secrets.previous.$delete({ param })), refresh });
  const remove = useSave({
    send: () => answer(hook.$delete({ param })),
    refresh,
    onSaved: () => setLeaving(false),
  });
  return (
    <>
      <Button variant="default" size="xs" loading={test.isPending} onClick={() => test.mutate(undefined)}>
        {say("hooks.test")}
      </Button>
      <Button variant="default" size="xs" onClick={edit}>
        {say("hooks.edit")}
      </Button>
      {webhook.rotating ? (
        <Button variant="default" size="xs" loading={end.isPending} onClick={() => end.mutate(undefined)}>
          {say("hooks.rotate.end")}
        </Button>
      ) : (
        <Button
          variant="default"
          size="xs"
          loading={rotate.isPending}
          onClick={() => rotate.mutate(undefined)}
        >
          {say("hooks.rotate")}
        </Button>
      )}
      <Button variant="subtle" size="xs" onClick={() => setLeaving(true)}>
        {say("delete")}
      </Button>
      <ConfirmDialog
        title={say("hooks.remove.title")}
        isOpen={isLeaving}
        close={() => setLeaving(false)}
        act={say("delete")}
        isBusy={remove.isPending}
        confirm={() => remove.mutate(undefined)}
      >
        <p>{say("hooks.remove.body", { url: webhook.url })}</p>
      </ConfirmDialog>
    </>
  );
}

function EventsForm({ webhook, close }: { readonly webhook: Webhook; readonly close: () => void }) {
  const say = useWords();
  const place = useConnectionPlace();
  const [events, setEvents] = useState<string[]>([...webhook.events]);
  const [problem, setProblem] = useState<string>();
  const newer = useNewer<{ readonly events: readonly string[] }>({
    read: { version: webhook.version, values: { events: webhook.events } },
    typed: { events },
    take: (values) => setEvents([...values.events]),
    readAgain: webhooksKey(place),
  });
  const save = useSave({
    send: () =>
      newer.send((version) =>
        answer(
          ofConnection.webhooks[":webhook"].$put({
            param: { ...place, webhook: webhook.id },
            json: { events, version },
          }),
        ),
      ),
    refresh: [webhooksKey(place)],
    onSaved: close,
    onRefused: (error) =>
      setProblem(newer.isRefusedBy(error) ? undefined : Object.values(problemsByField(error, say))[0]),
  });
  const eventNames = (chosen: readonly string[]) => chosen.map((event) => say(eventWord(event))).join(", ");
  const { before } = newer;
  const changes = before
    ? [
        {
          what: say("hooks.events"),
          before: eventNames(before.events),
          after: eventNames(newer.base.values.events),
        },
      ]
    : [];
  return (
    <Form className="stack" onSubmit={() => save.mutate(undefined)}>
      <NewerNotice newer={newer} changes={changes} />
      <EventChoice events={events} change={setEvents} error={problem} />
      <div className="row">
        <Button size="xs" type="submit" loading={save.isPending}>
          {say("save")}
        </Button>
        <Button size="xs" variant="subtle" color="gray" onClick={close}>
          {say("cancel")}
        </Button>
      </div>
    </Form>
  );
}
