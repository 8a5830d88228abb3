import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import { answer } from "../../api/client.ts";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { Section } from "../../parts/page-head.tsx";
import { problemsByField, useSave } from "../../parts/save.ts";
import { Empty, ErrorCard, Loading } from "../../parts/states.tsx";
import { longDate } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import { SeriesCard } from "../setup/series-card.tsx";
import { ofConnection, setupKey, useConnectionPlace, useSetup } from "../setup/setup.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { CutoffMove } from "./cutoff-move.tsx";
import { EvidenceCard } from "./evidence-card.tsx";
import { type Connection, connectionsKey } from "./queries.ts";

/** The owner's consent, its start date and the numbering. */
export function InvoicingTab({ connection }: { readonly connection: Connection }) {
  const say = useWords();
  const { consent } = connection;
  if (!connection.takesOrders) {
    return (
      <Section title={say("conn.tab.invoicing")} flush>
        <Empty text={say("conn.unused")} />
      </Section>
    );
  }
  return (
    <>
      <ConsentCard connection={connection} />
      {consent && !consent.withdrawnAt && (
        <CutoffMove current={consent.cutoffDate} version={connection.versions.cutoff} />
      )}
      <Numbering />
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
