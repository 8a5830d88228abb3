import { Button, Card, Checkbox } from "@mantine/core";
import { IconArrowBackUp, IconCalendar, IconClock, IconReceipt, IconSend } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { answer } from "../../api/client.ts";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { ErrorCard } from "../../parts/error-card.tsx";
import { FormSummary } from "../../parts/form-summary.tsx";
import { Loading } from "../../parts/loading.tsx";
import { problemsByField, useSave } from "../../parts/save.ts";
import { type Say, useWords } from "../../words/words.tsx";
import { ConsentText, useConsentText } from "./consent-text.tsx";
import { CutoffCard } from "./cutoff-card.tsx";
import { AsideList, WizardFrame } from "./frame.tsx";
import { IssuerCard } from "./issuer-card.tsx";
import { RepresentationCard } from "./representation.tsx";
import { SeriesCard } from "./series-card.tsx";
import { ofConnection, type Setup, setupKey, useConnectionPlace, useSetup } from "./setup.ts";
import styles from "./wizard.module.css";

/** Step 3: who invoices, how it is numbered, from when, what is accepted, and the signature beside it. */
export function ConsentPage() {
  const place = useConnectionPlace();
  const setup = useSetup(place);
  if (setup.isPending) return <Loading />;
  if (setup.isError) return <ErrorCard error={setup.error} retry={() => void setup.refetch()} />;
  return <Consent setup={setup.data} />;
}

interface Declared {
  readonly notInSii: boolean;
  readonly commonRules: boolean;
  readonly accepted: boolean;
}

function Consent({ setup }: { readonly setup: Setup }) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  const place = useConnectionPlace();
  const [cutoff, setCutoff] = useState<string>(setup.today);
  const [declared, setDeclared] = useState<Declared>({
    notInSii: false,
    commonRules: false,
    accepted: false,
  });
  const [isTold, setTold] = useState(false);
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({});
  const text = useConsentText(place, setup, cutoff);
  const waiting = useWaiting(cutoff);
  const give = useGiveConsent({ cutoff, declared, refuse: setRefused });
  const missing = missingOf(setup, declared, say);
  const problems = isTold ? [...missing, ...told(refused)] : told(refused);
  function press() {
    setTold(true);
    if (missing.length === 0 && text.data) give.mutate(text.data);
  }
  return (
    <WizardFrame
      step={3}
      title={say("step3.title")}
      lead={say("step3.lead")}
      done={{ 1: setup.name }}
      hasShops={setup.kind === "commerce"}
      aside={<ConsentAside from={waiting.data?.from.orders ?? 0} before={waiting.data?.before.orders ?? 0} />}
      foot={
        <>
          {setup.kind === "commerce" && (
            <Button
              component={Link}
              to={paths.stores(place.account, place.connection)}
              variant="subtle"
              color="gray"
            >
              {say("back")}
            </Button>
          )}
          <div className="end">
            <span className="muted small">{say("step3.count", { n: waiting.data?.from.orders ?? 0 })}</span>
            <Button loading={give.isPending} disabled={isReadOnly} onClick={press}>
              {say("step3.button")}
            </Button>
          </div>
        </>
      }
    >
      <FormSummary problems={problems} />
      <IssuerCard
        setup={setup}
        declared={declared}
        change={(next) => setDeclared({ ...declared, ...next })}
      />
      <SeriesCard setup={setup} place={place} />
      <CutoffCard setup={setup} cutoff={cutoff} change={setCutoff} waiting={waiting.data} />
      <ConsentText setup={setup} text={text} />
      <RepresentationCard setup={setup} place={place} />
      <Card className={styles.pad}>
        <Checkbox
          id="accepted"
          label={say("step3.confirm", { legal_name: setup.issuer.legalName })}
          checked={declared.accepted}
          error={isTold && !declared.accepted ? say("step3.confirm.missing") : undefined}
          onChange={(event) => setDeclared({ ...declared, accepted: event.currentTarget.checked })}
        />
      </Card>
    </WizardFrame>
  );
}

function useWaiting(cutoff: string) {
  const place = useConnectionPlace();
  return useQuery({
    queryKey: ["waiting", place.account, place.connection, cutoff],
    queryFn: () => answer(ofConnection.waiting.$get({ param: place, query: { cutoff } })),
    placeholderData: (before) => before,
  });
}

interface Giving {
  readonly cutoff: string;
  readonly declared: Declared;
  readonly refuse: (problems: Readonly<Record<string, string>>) => void;
}

function useGiveConsent({ cutoff, declared, refuse }: Giving) {
  const say = useWords();
  const place = useConnectionPlace();
  const navigate = useNavigate();
  return useSave({
    send: (text: { readonly consentId: string; readonly version: string; readonly sha256: string }) =>
      answer(
        ofConnection.consent.$post({
          param: place,
          json: {
            ...{ consent_id: text.consentId, text_version: text.version, text_sha256: text.sha256 },
            ...{ cutoff_date: cutoff, keeps_books_in_sii: !declared.notInSii },
            common_rules_apply: declared.commonRules,
          },
        }),
      ),
    refresh: [setupKey(place), ["connections", place.account]],
    onSaved: () => void navigate(paths.progress(place.account, place.connection)),
    onRefused: (error) => refuse(problemsByField(error, say)),
  });
}

function missingOf({ foralProvince }: Setup, { notInSii, commonRules, accepted }: Declared, say: Say) {
  return [
    ...(notInSii ? [] : [{ field: "sii", message: say("step3.sii.missing") }]),
    ...(foralProvince === null || commonRules
      ? []
      : [{ field: "foral", message: say("step3.foral.missing") }]),
    ...(accepted ? [] : [{ field: "accepted", message: say("step3.confirm.missing") }]),
  ];
}

function told(refused: Readonly<Record<string, string>>) {
  return Object.entries(refused).map(([field, message]) => ({ field, message }));
}

function ConsentAside({ from, before }: { readonly from: number; readonly before: number }) {
  const say = useWords();
  return (
    <AsideList
      title={say("step3.aside")}
      lines={[
        { icon: <IconReceipt size={16} aria-hidden />, text: say("step3.aside.1", { n: from }) },
        { icon: <IconClock size={16} aria-hidden />, text: say("step3.aside.2", { n: before }) },
        { icon: <IconSend size={16} aria-hidden />, text: say("step3.aside.3") },
        { icon: <IconCalendar size={16} aria-hidden />, text: say("step3.aside.4") },
        { icon: <IconArrowBackUp size={16} aria-hidden />, text: say("step3.aside.5") },
      ]}
    />
  );
}
