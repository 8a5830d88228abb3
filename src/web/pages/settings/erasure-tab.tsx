import { Button } from "@mantine/core";
import { useState } from "react";
import { answer } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { Radio } from "../../parts/choices.tsx";
import { TextInput } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { Section } from "../../parts/page-head.tsx";
import { problemsByField, useSave } from "../../parts/save.ts";
import { date } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import { ORDERS } from "../orders/queries.ts";
import { type ConnectionPlace, ofConnection, useConnectionPlace } from "../setup/setup.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import styles from "./settings.module.css";

/** Erases a person's data at their request, except those that the law keeps. */
export function ErasureTab() {
  const say = useWords();
  const { isReadOnly } = useCompany();
  const place = useConnectionPlace();
  const [of, setOf] = useState<ErasedOf>("order");
  const [id, setId] = useState("");
  const [problem, setProblem] = useState("");
  const [found, setFound] = useState<{ readonly subject: ErasureSubject; readonly data: ErasableFound }>();
  const search = useSave({
    send: (subject: ErasureSubject) => searchErasable(place, subject),
    onSaved: (data, subject) => setFound({ subject, data }),
    onRefused: (error) => setProblem(Object.values(problemsByField(error, say))[0] ?? ""),
  });
  function forget() {
    setFound(undefined);
    setProblem("");
  }
  function submit() {
    forget();
    if (id === "") setProblem(say("form.required", { field: say(`erasure.id.${of}`).toLowerCase() }));
    else search.mutate({ of, id });
  }
  return (
    <>
      <Section title={say("erasure.title")}>
        <Form
          className="stack"
          onSubmit={() => {
            submit();
          }}
        >
          <p className="muted text-column">{say("erasure.lead")}</p>
          <Radio.Group
            label={say("erasure.of")}
            value={of}
            onChange={(value) => {
              setOf(value === "client" ? "client" : "order");
              forget();
            }}
          >
            <div className="stack">
              <Radio.One value="order" label={say("erasure.of.order")} />
              <Radio.One value="client" label={say("erasure.of.client")} />
            </div>
          </Radio.Group>
          <div className={styles.askFor}>
            <TextInput
              label={say(`erasure.id.${of}`)}
              description={say("erasure.id.hint")}
              autoComplete="off"
              value={id}
              error={problem || undefined}
              onChange={(event) => setId(event.currentTarget.value)}
            />
            <Button type="submit" variant="default" loading={search.isPending}>
              {say("erasure.look")}
            </Button>
          </div>
        </Form>
      </Section>
      {found && (
        <Found
          key={`${found.subject.of} ${found.subject.id}`}
          subject={found.subject}
          found={found.data}
          isReadOnly={isReadOnly}
          again={() => search.mutate(found.subject)}
          forget={forget}
        />
      )}
    </>
  );
}

interface FoundProps {
  readonly subject: ErasureSubject;
  readonly found: ErasableFound;
  readonly isReadOnly: boolean;
  /** Looks once more. */
  readonly again: () => void;
  readonly forget: () => void;
}

/** The data to erase, and the data to keep with the reason, before the erasure. */
function Found({ subject, found, isReadOnly, again, forget }: FoundProps) {
  const say = useWords();
  if (found.gone) return <Gone subject={subject} found={found} isReadOnly={isReadOnly} forget={forget} />;
  const { client, orders, kept, hasMore } = found;
  const isErasable = client || orders.length > 0;
  return (
    <>
      <Section title={say("erasure.found")}>
        <div className="stack">
          {!isErasable && <p>{say(`erasure.found.nothing.${subject.of}`)}</p>}
          {client && <p>{say("erasure.found.client")}</p>}
          {orders.length > 0 && (
            <div>
              <p>{say("erasure.found.orders", { n: orders.length })}</p>
              <ul className={styles.named}>
                {orders.map(({ id, reference }) => (
                  <li key={id}>{reference}</li>
                ))}
              </ul>
            </div>
          )}
          {hasMore && <p className="muted">{say("erasure.more")}</p>}
          {isErasable && !isReadOnly && (
            <Erase subject={subject} hasMore={hasMore} again={again} forget={forget} />
          )}
        </div>
      </Section>
      {kept.length > 0 && <Kept kept={kept} />}
    </>
  );
}

function Kept({ kept }: Pick<ErasableFound, "kept">) {
  const say = useWords();
  return (
    <Section title={say("erasure.kept")}>
      <div className="stack">
        <ul className={styles.named}>
          {kept.map(({ id, reference: order, numbers, until }) => (
            <li key={id}>
              {say("erasure.kept.one", { order, numbers: numbers.join(", "), date: date(until) })}
            </li>
          ))}
        </ul>
        <p className="muted text-column">{say("erasure.kept.law")}</p>
      </div>
    </Section>
  );
}

interface EraseProps extends Pick<FoundProps, "subject" | "again" | "forget"> {
  readonly hasMore: boolean;
}

function Erase({ subject, hasMore, again, forget }: EraseProps) {
  const say = useWords();
  const { account } = useCompany();
  const place = useConnectionPlace();
  const [isAsking, setAsking] = useState(false);
  const [confirmation, setConfirmation] = useState("");
  const [problem, setProblem] = useState("");
  const erase = useSave({
    send: () => answer(ofConnection.erasure.$post({ param: place, json: { ...subject, confirmation } })),
    refresh: [[account.id, ORDERS]],
    said: say("erasure.done"),
    onSaved: ({ kept }) => {
      setAsking(false);
      if (hasMore || kept.length > 0) again();
      else forget();
    },
    onRefused: (error) => setProblem(Object.values(problemsByField(error, say))[0] ?? ""),
  });
  return (
    <div>
      <Button variant="default" onClick={() => setAsking(true)}>
        {say("erasure.button")}
      </Button>
      <ConfirmDialog
        title={say("erasure.confirm.title")}
        isOpen={isAsking}
        close={() => setAsking(false)}
        act={say("erasure.confirm.act")}
        isBusy={erase.isPending}
        confirm={() => erase.mutate(undefined)}
      >
        <p>{say("erasure.confirm.body")}</p>
        <TextInput
          label={say("erasure.confirm.type", { id: subject.id })}
          autoComplete="off"
          value={confirmation}
          error={problem || undefined}
          onChange={(event) => {
            setConfirmation(event.currentTarget.value);
            setProblem("");
          }}
        />
      </ConfirmDialog>
    </div>
  );
}

/** An erased order; its owner may readmit it, unless it had an invoice. */
function Gone({ subject, found: { gone }, isReadOnly, forget }: Omit<FoundProps, "again">) {
  const say = useWords();
  const { account } = useCompany();
  const place = useConnectionPlace();
  const [isAsking, setAsking] = useState(false);
  const admit = useSave({
    send: () => answer(ofConnection.erasure.admission.$post({ param: place, json: { id: subject.id } })),
    said: say("erasure.admit.done"),
    onSaved: () => {
      setAsking(false);
      forget();
    },
  });
  if (!gone) return null;
  const { because, at } = gone;
  return (
    <Section title={say("erasure.id.order")} aside={subject.id}>
      <div className="stack">
        <p className="text-column">{say(`erasure.gone.${because}`, { date: date(at, account.timeZone) })}</p>
        {because !== "retention" && !isReadOnly && (
          <div>
            <Button variant="default" onClick={() => setAsking(true)}>
              {say("erasure.admit")}
            </Button>
          </div>
        )}
      </div>
      <ConfirmDialog
        title={say("erasure.admit.title")}
        isOpen={isAsking}
        close={() => setAsking(false)}
        act={say("erasure.admit.act")}
        isBusy={admit.isPending}
        confirm={() => admit.mutate(undefined)}
      >
        <p>{say("erasure.admit.body")}</p>
      </ConfirmDialog>
    </Section>
  );
}

type ErasedOf = "order" | "client";

interface ErasureSubject {
  readonly of: ErasedOf;
  readonly id: string;
}

function searchErasable(param: ConnectionPlace, json: ErasureSubject) {
  return answer(ofConnection.erasure.preview.$post({ param, json }));
}

type ErasableFound = Awaited<ReturnType<typeof searchErasable>>;
