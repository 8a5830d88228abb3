import { Button, Card, Checkbox } from "@mantine/core";
import { IconArrowBackUp, IconCalendar, IconClock, IconReceipt, IconSend } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Link, useNavigate } from "react-router";
import { answer } from "../../api/client.ts";
import { ApiError } from "../../api/errors.ts";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { FormSummary } from "../../parts/form-summary.tsx";
import { Loading } from "../../parts/loading.tsx";
import { problemsByField, useSave } from "../../parts/save.ts";
import { longDate } from "../../words/format.ts";
import { type Say, useWords } from "../../words/words.tsx";
import { CONSENT_TEXT, ConsentText, useConsentText } from "./consent-text.tsx";
import { CutoffCard } from "./cutoff-card.tsx";
import { AsideList, SetupFailed, WizardFrame } from "./frame.tsx";
import { IssuerCard } from "./issuer-card.tsx";
import { RepresentationCard } from "./representation.tsx";
import { SeriesCard } from "./series-card.tsx";
import { ofConnection, type Setup, setupKey, useConnectionPlace, useSetup } from "./setup.ts";
import styles from "./wizard.module.css";

/** Step 3: issuer, numbering, start date, the accepted text and the signature. */
export function ConsentPage() {
  const place = useConnectionPlace();
  const setup = useSetup(place);
  if (setup.isPending) return <Loading />;
  if (setup.isLoadingError) return <SetupFailed setup={setup} step={3} />;
  const { consent } = setup.data;
  return consent && !consent.withdrawnAt ? (
    <Given setup={setup.data} consent={consent} />
  ) : (
    <Consent setup={setup.data} />
  );
}

interface GivenProps {
  readonly setup: Setup;
  readonly consent: NonNullable<Setup["consent"]>;
}

/** The consent exists already: nothing is asked again. */
function Given({ setup, consent }: GivenProps) {
  const say = useWords();
  const { account } = useCompany();
  const place = useConnectionPlace();
  const given = {
    date: longDate(new Date(consent.grantedAt).toISOString(), account.timeZone),
    name: consent.grantedByName,
    version: consent.textVersion,
  };
  return (
    <WizardFrame
      step={3}
      title={say("progress.title.done")}
      done={{ 1: setup.name }}
      hasShops={setup.kind === "commerce"}
      aside={null}
      foot={
        <div className="end">
          <Button
            component={Link}
            to={paths.connection(place.account, place.connection, "facturacion")}
            variant="default"
          >
            {say("step3.given.change")}
          </Button>
          <Button component={Link} to={paths.progress(place.account, place.connection)}>
            {say("continue")}
          </Button>
        </div>
      }
    >
      <Card className={styles.pad}>
        <p>{say("step3.given", given)}</p>
      </Card>
    </WizardFrame>
  );
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
  const [isStemOpen, setStemOpen] = useState(false);
  const [isTold, setTold] = useState(false);
  const [refused, setRefused] = useState<Problems>({});
  const text = useConsentText(place, setup, cutoff);
  const waiting = useWaiting(cutoff);
  const give = useGiveConsent({ cutoff, declared, refuse: setRefused });
  const missing = missingOf({ setup, declared, isStemOpen, hasText: text.data !== undefined }, say);
  const problems: Problems = { ...refused, ...(isTold ? missing : {}) };
  function change(next: Partial<Declared>) {
    setRefused({});
    setDeclared({ ...declared, ...next });
  }
  function press() {
    setTold(true);
    if (Object.keys(missing).length === 0 && text.data) give.mutate(text.data);
  }
  const waits = waiting.data && { from: waiting.data.from.orders, before: waiting.data.before.orders };
  return (
    <WizardFrame
      step={3}
      title={say("step3.title")}
      lead={say("step3.lead")}
      done={{ 1: setup.name }}
      hasShops={setup.kind === "commerce"}
      aside={<ConsentAside waits={waits} />}
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
            {waits && <span className="muted small">{say("step3.count", { n: waits.from })}</span>}
            <Button loading={give.isPending || text.isPending} disabled={isReadOnly} onClick={press}>
              {say("step3.button")}
            </Button>
          </div>
        </>
      }
    >
      <ConsentProblems problems={problems} />
      <IssuerCard setup={setup} declared={declared} change={change} problems={problems} />
      <SeriesCard setup={setup} place={place} problem={problems.stem} leaveOpen={setStemOpen} />
      <CutoffCard
        setup={setup}
        cutoff={cutoff}
        problem={problems.cutoff_date}
        change={(date) => {
          setRefused({});
          setCutoff(date);
        }}
        waiting={waiting}
      />
      <ConsentText setup={setup} text={text} />
      <RepresentationCard setup={setup} place={place} />
      <Card className={styles.pad}>
        <Checkbox
          id="accepted"
          label={say("step3.confirm", { legal_name: setup.issuer.legalName })}
          checked={declared.accepted}
          error={problems.accepted}
          onChange={(event) => change({ accepted: event.currentTarget.checked })}
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

/** By the id of the field; problems without a field under "". */
type Problems = Readonly<Record<string, string>>;

function ConsentProblems({ problems }: { readonly problems: Problems }) {
  const key = JSON.stringify(problems);
  // Equal problems keep the same list, so that typing keeps the focus.
  const listed = useMemo(
    () => Object.entries(JSON.parse(key) as Problems).map(([field, message]) => ({ field, message })),
    [key],
  );
  return <FormSummary problems={listed} />;
}

interface Giving {
  readonly cutoff: string;
  readonly declared: Declared;
  readonly refuse: (problems: Problems) => void;
}

function useGiveConsent({ cutoff, declared, refuse }: Giving) {
  const say = useWords();
  const place = useConnectionPlace();
  const navigate = useNavigate();
  const client = useQueryClient();
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
    onRefused: (error) => {
      refuse(problemsByField(error, say));
      // The text has changed since it was read: the current one is shown.
      if (error instanceof ApiError && error.code === "consent_text_outdated") {
        void client.invalidateQueries({ queryKey: setupKey(place) });
        void client.invalidateQueries({ queryKey: [CONSENT_TEXT, place.account, place.connection] });
      }
    },
  });
}

interface Filled {
  readonly setup: Setup;
  readonly declared: Declared;
  readonly isStemOpen: boolean;
  readonly hasText: boolean;
}

function missingOf({ setup, declared, isStemOpen, hasText }: Filled, say: Say): Problems {
  const { notInSii, commonRules, accepted } = declared;
  return {
    ...(notInSii ? {} : { sii: say("step3.sii.missing") }),
    ...(setup.foralProvince === null || commonRules ? {} : { foral: say("step3.foral.missing") }),
    ...(isStemOpen ? { stem: say("step3.stem.open") } : {}),
    ...(hasText ? {} : { consent_text: say("step3.accept.missing") }),
    ...(accepted ? {} : { accepted: say("step3.confirm.missing") }),
  };
}

interface ConsentAsideProps {
  readonly waits: { readonly from: number; readonly before: number } | undefined;
}

function ConsentAside({ waits }: ConsentAsideProps) {
  const say = useWords();
  return (
    <AsideList
      title={say("step3.aside")}
      lines={[
        ...(waits
          ? [
              { icon: <IconReceipt size={16} aria-hidden />, text: say("step3.aside.1", { n: waits.from }) },
              { icon: <IconClock size={16} aria-hidden />, text: say("step3.aside.2", { n: waits.before }) },
            ]
          : []),
        { icon: <IconSend size={16} aria-hidden />, text: say("step3.aside.3") },
        { icon: <IconCalendar size={16} aria-hidden />, text: say("step3.aside.4") },
        { icon: <IconArrowBackUp size={16} aria-hidden />, text: say("step3.aside.5") },
      ]}
    />
  );
}
