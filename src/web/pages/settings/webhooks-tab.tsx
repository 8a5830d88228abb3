import { Button, Checkbox, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { answer } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { Empty } from "../../parts/empty.tsx";
import { ErrorCard } from "../../parts/error-card.tsx";
import { Loading } from "../../parts/loading.tsx";
import { problemsByField, useSave } from "../../parts/save.ts";
import { Section } from "../../parts/section.tsx";
import { useWords } from "../../words/words.tsx";
import { type ConnectionPlace, ofConnection, useConnectionPlace } from "../setup/setup.ts";
import { CallbackCard } from "./callback-card.tsx";
import { type HookSecret, HookSecretDialog } from "./hook-secret.tsx";
import type { Connection } from "./queries.ts";
import styles from "./settings.module.css";
import { WebhookCard } from "./webhook-card.tsx";

export const WEBHOOK_EVENTS = [
  ...(["invoice.issued", "record.accepted", "record.accepted_with_errors"] as const),
  ...(["record.rejected", "order.held", "order.invoiced"] as const),
] as const;

export function webhooksKey({ account, connection }: ConnectionPlace) {
  return ["webhooks", account, connection] as const;
}

/** The webhook addresses of the owner's programs, and the callback address of the shop. */
export function WebhooksTab({ connection }: { readonly connection: Connection }) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  const place = useConnectionPlace();
  const [told, setTold] = useState<HookSecret>();
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
          <WebhookCard key={webhook.id} webhook={webhook} show={setTold} />
        ))}
        {!isReadOnly && <AddWebhook show={setTold} />}
      </Section>
      {connection.takesOrders && <CallbackCard connection={connection} show={setTold} />}
      <HookSecretDialog told={told} close={() => setTold(undefined)} />
    </>
  );
}

function AddWebhook({ show }: { readonly show: (told: HookSecret) => void }) {
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
  return (
    <form
      className={styles.hook}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (url.trim()) add.mutate(undefined);
        else setProblems({ url: say("form.required", { field: say("hooks.url.the") }) });
      }}
    >
      <TextInput
        label={say("hooks.url")}
        description={say("hooks.url.hint")}
        inputWrapperOrder={["label", "input", "error", "description"]}
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
    </form>
  );
}

interface EventChoiceProps {
  readonly events: string[];
  readonly change: (events: string[]) => void;
  readonly error: string | undefined;
}

export function EventChoice({ events, change, error }: EventChoiceProps) {
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
