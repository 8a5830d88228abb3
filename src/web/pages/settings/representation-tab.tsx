import { Button, Modal } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { answer } from "../../api/client.ts";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { Section } from "../../parts/page-head.tsx";
import { useSave } from "../../parts/save.ts";
import { StateMark } from "../../parts/state-mark.tsx";
import { Empty, ErrorCard, Loading } from "../../parts/states.tsx";
import { date, longDate } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import { RepresentationCard } from "../setup/representation.tsx";
import { type ConnectionPlace, ofConnection, setupKey, useSetup } from "../setup/setup.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { type CompanySettings, companyKey, ofAccount } from "./queries.ts";
import styles from "./settings.module.css";

/** The representation for submitting the company's records: read, signed, revoked. */
export function RepresentationTab({ company }: { readonly company: CompanySettings }) {
  const say = useWords();
  const { account } = useCompany();
  const { firstConnection } = company;
  if (firstConnection === null) {
    return (
      <Section title={say("rep.title")} flush>
        <Empty text={say("rep.connect_first")}>
          <Button component={Link} to={paths.connect(account.id)}>
            {say("conn.add")}
          </Button>
        </Empty>
      </Section>
    );
  }
  const place = { account: account.id, connection: firstConnection };
  return (
    <>
      {company.representation && <GrantStatus company={company} place={place} />}
      <Signing place={place} />
    </>
  );
}

/** The form of the setup: it asks for the signature, or shows that it is signed. */
function Signing({ place }: { readonly place: ConnectionPlace }) {
  const setup = useSetup(place);
  if (setup.isPending) return <Loading />;
  if (setup.isLoadingError) return <ErrorCard error={setup.error} retry={() => void setup.refetch()} />;
  return <RepresentationCard setup={setup.data} place={place} />;
}

interface GrantStatusProps {
  readonly company: CompanySettings;
  readonly place: ConnectionPlace;
}

function GrantStatus({ company, place }: GrantStatusProps) {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  const [isReading, setReading] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const { representation } = company;
  const revoke = useSave({
    send: () => answer(ofConnection.representation.withdraw.$post({ param: place })),
    refresh: [companyKey(account.id), setupKey(place), ["submission"]],
    onSaved: () => setLeaving(false),
  });
  return (
    <Section title={say("rep.standing")}>
      <div className="stack">
        <div>
          <StatusMark company={company} />
        </div>
        {representation && (
          <div className="row">
            <Button variant="default" onClick={() => setReading(true)}>
              {say("rep.read")}
            </Button>
            {!representation.withdrawnAt && !isReadOnly && (
              <Button variant="default" onClick={() => setLeaving(true)}>
                {say("rep.withdraw")}
              </Button>
            )}
          </div>
        )}
      </div>
      {isReading && <DocumentDialog close={() => setReading(false)} />}
      <ConfirmDialog
        title={say("rep.withdraw")}
        isOpen={isLeaving}
        close={() => setLeaving(false)}
        act={say("rep.withdraw")}
        isBusy={revoke.isPending}
        confirm={() => revoke.mutate(undefined)}
      >
        <p>{say("rep.withdraw.body")}</p>
      </ConfirmDialog>
    </Section>
  );
}

function StatusMark({ company }: { readonly company: CompanySettings }) {
  const say = useWords();
  const { account } = useCompany();
  const { representation } = company;
  if (!representation) return <StateMark tone="decide">{say("rep.state.unsigned")}</StateMark>;
  const { withdrawnAt, signedBy, signedOn } = representation;
  if (withdrawnAt) {
    const text = say("rep.state.withdrawn", { date: date(withdrawnAt, account.timeZone) });
    return <StateMark tone="decide">{text}</StateMark>;
  }
  const text = say("rep.state.signed", { date: longDate(signedOn), name: signedBy });
  return <StateMark tone="done">{text}</StateMark>;
}

function DocumentDialog({ close }: { readonly close: () => void }) {
  const say = useWords();
  const { account } = useCompany();
  const document = useQuery({
    queryKey: [...companyKey(account.id), "document"],
    queryFn: async () =>
      (await answer(ofAccount.company.representation.document.$get({ param: { account: account.id } }))).text,
  });
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={say("rep.document")}
      closeButtonProps={{ "aria-label": say("close") }}
    >
      {document.isPending && <Loading />}
      {document.isError && <ErrorCard error={document.error} />}
      {document.isSuccess && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: people without a mouse scroll it too
        <div className={styles.plain} tabIndex={0}>
          {document.data ?? say("rep.document.elsewhere")}
        </div>
      )}
    </Modal>
  );
}
