import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { answer } from "../../api/client.ts";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { DateField } from "../../parts/date-field.tsx";
import { TextInput } from "../../parts/fields.tsx";
import { NewerNotice, useNewer } from "../../parts/newer.tsx";
import { Section } from "../../parts/page-head.tsx";
import { ReadOnly } from "../../parts/read-only.tsx";
import { problemsByField, useSave } from "../../parts/save.ts";
import { Empty, ErrorCard, errorText, Loading } from "../../parts/states.tsx";
import { longDate, money } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import { SeriesCard } from "../setup/series-card.tsx";
import { ofConnection, setupKey, useConnectionPlace, useSetup } from "../setup/setup.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { EvidenceCard } from "./evidence-card.tsx";
import { MailingCard } from "./mailing-card.tsx";
import { type Connection, connectionsKey } from "./queries.ts";
import styles from "./settings.module.css";

/** The owner's consent, its start date and the numbering. */
export function InvoicingTab({ connection }: { readonly connection: Connection }) {
  const say = useWords();
  const { consent } = connection;
  const isByHand = connection.kind === "console";
  if (!connection.takesOrders && !isByHand) {
    return (
      <>
        <Section title={say("conn.tab.invoicing")} flush>
          <Empty text={say("conn.unused")} />
        </Section>
        <MailingCard />
      </>
    );
  }
  return (
    <>
      <ConsentCard connection={connection} />
      {consent && !consent.withdrawnAt && !isByHand && (
        <CutoffMove current={consent.cutoffDate} version={connection.versions.cutoff} />
      )}
      <Numbering />
      <MailingCard />
      <EvidenceCard />
    </>
  );
}

function ConsentCard({ connection }: { readonly connection: Connection }) {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  const [isLeaving, setLeaving] = useState(false);
  const { consent, givenByName } = connection;
  const isStanding = consent !== undefined && !consent.withdrawnAt;
  const turnOn = !isReadOnly && (
    <Button component={Link} to={paths.consent(account.id, connection.id)}>
      {say(consent ? "consent.again.button" : "conn.turn_on")}
    </Button>
  );
  if (!consent) {
    return (
      <Section title={say("consent.title")} flush>
        <Empty text={say("consent.none")}>{turnOn}</Empty>
      </Section>
    );
  }
  const given = {
    date: longDate(consent.givenAt, account.timeZone),
    name: givenByName ?? say("activity.former"),
    version: consent.textVersion,
  };
  return (
    <Section title={say("consent.title")}>
      <div className="stack">
        <p>{say("consent.given", given)}</p>
        <p className="muted">{say("consent.cutoff", { date: longDate(consent.cutoffDate) })}</p>
        {consent.withdrawnAt && (
          <p>{say("consent.withdrawn", { date: longDate(consent.withdrawnAt, account.timeZone) })}</p>
        )}
        {isStanding && !isReadOnly && (
          <div>
            <Button variant="default" onClick={() => setLeaving(true)}>
              {say("consent.withdraw.button")}
            </Button>
          </div>
        )}
        {!isStanding && (
          <>
            <p className="muted text-column">{say("consent.again")}</p>
            <div>{turnOn}</div>
          </>
        )}
      </div>
      {isLeaving && <WithdrawDialog connection={connection} close={() => setLeaving(false)} />}
    </Section>
  );
}

interface WithdrawDialogProps {
  readonly connection: Connection;
  readonly close: () => void;
}

function WithdrawDialog({ connection, close }: WithdrawDialogProps) {
  const say = useWords();
  const place = useConnectionPlace();
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState("");
  const withdraw = useSave({
    send: () => answer(ofConnection.consent.withdrawal.$post({ param: place, json: { name: typed } })),
    refresh: [connectionsKey(place.account), setupKey(place)],
    onSaved: close,
    onRefused: (error) => setProblem(Object.values(problemsByField(error, say))[0] ?? ""),
  });
  const facts = { connection: connection.name, year: connection.today.slice(0, 4) };
  return (
    <ConfirmDialog
      title={say("consent.withdraw")}
      isOpen
      close={close}
      act={say("consent.withdraw")}
      isBusy={withdraw.isPending}
      confirm={() => withdraw.mutate(undefined)}
    >
      <p>{say("consent.withdraw.body", facts)}</p>
      <TextInput
        label={say("consent.withdraw.type")}
        description={connection.name}
        value={typed}
        error={problem || undefined}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}

/** The stem, and the numbers that it gives. */
function Numbering() {
  const place = useConnectionPlace();
  const setup = useSetup(place);
  if (setup.isPending) return <Loading />;
  if (setup.isLoadingError) return <ErrorCard error={setup.error} retry={() => void setup.refetch()} />;
  return <SeriesCard setup={setup.data} place={place} />;
}

interface CutoffMoveProps {
  readonly current: string;
  readonly version: string;
}

/** The start date: before saving, it shows the orders that another date adds or excludes. */
function CutoffMove({ current, version }: CutoffMoveProps) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  const place = useConnectionPlace();
  const [typed, setTyped] = useState(current);
  const [problem, setProblem] = useState("");
  const newer = useNewer({
    read: { version, values: { date: current } },
    typed: { date: typed },
    take: (values) => setTyped(values.date),
    readAgain: connectionsKey(place.account),
  });
  const saved = newer.base.values.date;
  const isMoved = typed !== "" && typed !== saved;
  const effect = useEffectOf(typed, isMoved);
  const navigate = useNavigate();
  const save = useSave({
    send: () =>
      newer.send((version) =>
        answer(
          ofConnection.consent.cutoff.$put({
            param: place,
            json: { cutoff_date: typed, version },
          }),
        ),
      ),
    refresh: [connectionsKey(place.account), setupKey(place), ["progress", place.account, place.connection]],
    onSaved: () => {
      newer.saved();
      const { moves, orders } = effect.data ?? { moves: "nowhere", orders: 0 };
      // Added orders are decided now: the progress page shows it.
      if (moves === "earlier" && orders > 0) void navigate(paths.progress(place.account, place.connection));
    },
    onRefused: (error) =>
      setProblem(newer.isRefusedBy(error) ? "" : (Object.values(problemsByField(error, say))[0] ?? "")),
  });
  const { before } = newer;
  const changes = before
    ? [{ what: say("step3.cutoff.field"), before: longDate(before.date), after: longDate(saved) }]
    : [];
  return (
    <Section title={say("step3.cutoff")}>
      <div className="stack">
        <NewerNotice newer={newer} changes={changes} />
        <ReadOnly isReadOnly={isReadOnly}>
          <DateField
            id="cutoff_date"
            label={say("step3.cutoff.field")}
            description={say("step3.cutoff.hint")}
            value={typed}
            error={problem || undefined}
            onChange={(date) => {
              setProblem("");
              setTyped(date);
            }}
          />
        </ReadOnly>
        {isMoved && <Effect date={typed} effect={effect} />}
        {isMoved && (
          <div className="row">
            <Button loading={save.isPending} onClick={() => save.mutate(undefined)}>
              {say("cutoff.save")}
            </Button>
            <Button variant="subtle" color="gray" onClick={() => setTyped(saved)}>
              {say("cancel")}
            </Button>
          </div>
        )}
      </div>
    </Section>
  );
}

function useEffectOf(date: string, isMoved: boolean) {
  const place = useConnectionPlace();
  return useQuery({
    queryKey: ["cutoff-effect", place.account, place.connection, date],
    queryFn: () => answer(ofConnection.waiting.cutoff.$get({ param: place, query: { cutoff: date } })),
    enabled: isMoved,
  });
}

interface EffectProps {
  readonly date: string;
  readonly effect: ReturnType<typeof useEffectOf>;
}

function Effect({ date, effect }: EffectProps) {
  const say = useWords();
  if (effect.isPending) return null;
  if (effect.isLoadingError) return <p className="muted small">{errorText(effect.error, say)}</p>;
  const { moves, orders: n, totalEur } = effect.data;
  const text =
    moves === "later"
      ? say("cutoff.later", { n })
      : say("cutoff.earlier", { n, date: longDate(date), amount: money(totalEur) });
  return (
    <p className={styles.effect} role="status">
      {text}
    </p>
  );
}
