import { Anchor, Button, Card } from "@mantine/core";
import {
  IconArrowBackUp,
  IconCalendar,
  IconCircleCheck,
  IconClock,
  IconReceipt,
  IconSend,
} from "@tabler/icons-react";
import { type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { Fragment, useState } from "react";
import { Link, useNavigate } from "react-router";
import { answer } from "../../api/client.ts";
import { ApiError } from "../../api/errors.ts";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { Checkbox } from "../../parts/choices.tsx";
import { FieldError } from "../../parts/fields.tsx";
import { useWrongFields } from "../../parts/form.tsx";
import { Section } from "../../parts/page-head.tsx";
import { problemsByField, useSave } from "../../parts/save.ts";
import { ErrorCard, Loading } from "../../parts/states.tsx";
import { useUnsaved } from "../../parts/unsaved.tsx";
import { date, longDate } from "../../words/format.ts";
import { type Say, useWords } from "../../words/words.tsx";
import { PRINTED_DETAILS } from "../sign-in/company-form.tsx";
import { CutoffCard } from "./cutoff-card.tsx";
import { AsideList, SetupFailed, SetupFrame } from "./frame.tsx";
import { LegalText, RepresentationCard } from "./representation.tsx";
import { SeriesCard } from "./series-card.tsx";
import styles from "./setup.module.css";
import {
  type ConnectionPlace,
  ofConnection,
  type Setup,
  setupKey,
  useConnectionPlace,
  useSetup,
} from "./setup.ts";

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
    <SetupFrame
      step={3}
      title={say("progress.title.done")}
      done={{ 1: setup.name }}
      hasShops={hasStores(setup)}
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
    </SetupFrame>
  );
}

/** Only the module of a shop reports stores to choose from. */
function hasStores({ kind, stores }: Setup): boolean {
  return kind === "commerce" && stores.length > 0;
}

interface Declared {
  readonly notInSii: boolean;
  readonly commonRules: boolean;
  readonly accepted: boolean;
}

function Consent({ setup }: { readonly setup: Setup }) {
  const say = useWords();
  const place = useConnectionPlace();
  const [cutoff, setCutoff] = useState<string>(setup.today);
  const [declared, setDeclared] = useState<Declared>({
    // Said when the company was created, and stated here.
    notInSii: true,
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
  const { "": whole, ...refusedFields } = refused;
  const problems: Problems = { ...refusedFields, ...(isTold ? missing : {}) };
  const wrong = useWrongFields<HTMLDivElement>(whole);
  useUnsaved(
    (cutoff !== setup.today || isStemOpen || isDeclared(declared)) && !give.isPending && !give.isSuccess,
  );
  function change(next: Partial<Declared>) {
    setRefused({});
    setDeclared({ ...declared, ...next });
  }
  function press() {
    wrong.submitted();
    setTold(true);
    if (Object.keys(missing).length === 0 && text.data) give.mutate(text.data);
  }
  const waits = waiting.data && { from: waiting.data.from.orders, before: waiting.data.before.orders };
  return (
    <SetupFrame
      step={3}
      title={say("step3.title")}
      lead={say("step3.lead")}
      done={{ 1: setup.name }}
      hasShops={hasStores(setup)}
      aside={<ConsentAside waits={waits} />}
      foot={
        <ConsentFoot
          setup={setup}
          from={waits?.from}
          isBusy={give.isPending || text.isPending}
          give={press}
        />
      }
    >
      <div className="stack" ref={wrong.place} {...wrong.watching}>
        {wrong.summary}
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
        <ConsentText setup={setup} text={text} problem={problems.consent_text} />
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
      </div>
    </SetupFrame>
  );
}

interface ConsentFootProps {
  readonly setup: Setup;
  /** The waiting orders that the consent lets out, once known. */
  readonly from: number | undefined;
  readonly isBusy: boolean;
  readonly give: () => void;
}

function ConsentFoot({ setup, from, isBusy, give }: ConsentFootProps) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  const place = useConnectionPlace();
  return (
    <>
      {setup.kind === "commerce" && (
        <Button
          component={Link}
          to={
            hasStores(setup)
              ? paths.stores(place.account, place.connection)
              : `${paths.connect(place.account)}/${place.connection}`
          }
          variant="subtle"
          color="gray"
        >
          {say("back")}
        </Button>
      )}
      <div className="end">
        {from !== undefined && <span className="muted small">{say("step3.count", { n: from })}</span>}
        <Button loading={isBusy} disabled={isReadOnly} onClick={give}>
          {say("step3.button")}
        </Button>
      </div>
    </>
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

function isDeclared({ notInSii, commonRules, accepted }: Declared): boolean {
  return !notInSii || commonRules || accepted;
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

interface Text {
  readonly consentId: string;
  readonly version: string;
  readonly sha256: string;
  readonly intro: string;
  readonly clauses: readonly { readonly title: string; readonly body: string }[];
}

export const CONSENT_TEXT = "consent-text";

/** The text for these facts: it changes with the date and with the series. */
export function useConsentText(place: ConnectionPlace, setup: Setup, cutoff: string): UseQueryResult<Text> {
  const series = setup.series.map(({ stem }) => stem).join(",");
  return useQuery({
    queryKey: [CONSENT_TEXT, place.account, place.connection, cutoff, series],
    queryFn: () =>
      answer(ofConnection["consent-text"].$get({ param: place, query: { cutoff_date: cutoff } })),
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

interface ConsentTextProps {
  readonly setup: Setup;
  readonly text: UseQueryResult<Text>;
  readonly problem?: string | undefined;
}

/** Whole, never in a box that scrolls. */
export function ConsentText({ setup, text, problem }: ConsentTextProps) {
  const say = useWords();
  const version = { version: setup.textVersion, date: date(setup.today) };
  return (
    <Section title={say("step3.accept")} aside={say("step3.accept.version", version)} isPrinted>
      <span id="consent_text" tabIndex={-1} aria-describedby="consent_text-error" />
      {problem && (
        <p className={styles.textError} id="consent_text-error">
          <FieldError>{problem}</FieldError>
        </p>
      )}
      {text.isPending && <Loading rows={8} />}
      {text.isError && <ErrorCard error={text.error} retry={() => void text.refetch()} />}
      {text.data && <LegalText intro={text.data.intro} clauses={text.data.clauses} />}
      <div className={styles.links}>
        <Anchor component="button" type="button" size="sm" onClick={() => window.print()}>
          {say("step3.accept.pdf")}
        </Anchor>
        <a href={paths.declaration} target="_blank" rel="noreferrer">
          {say("step3.accept.declaration")}
        </a>
      </div>
    </Section>
  );
}

interface IssuerCardProps {
  readonly setup: Setup;
  readonly declared: { readonly notInSii: boolean; readonly commonRules: boolean };
  readonly problems: Readonly<Record<string, string>>;
  readonly change: (next: { readonly notInSii?: boolean; readonly commonRules?: boolean }) => void;
}

/** The issuer as printed, and the declarations that only the owner can make. */
export function IssuerCard({ setup, declared, problems, change }: IssuerCardProps) {
  const say = useWords();
  const { issuer, foralProvince } = setup;
  return (
    <Section title={say("step3.who")}>
      <div className="stack">
        <dl className="facts">
          <dt>{say("step3.who.name")}</dt>
          <dd>{issuer.legalName}</dd>
          <dt>{say("company.nif")}</dt>
          <dd>
            {issuer.nif}
            <Correct text={say("step3.nif_ok")} />
          </dd>
          <dt>{say("step3.who.address")}</dt>
          <dd>
            {issuer.address1}, {issuer.postcode} {issuer.city}
            {foralProvince === null && <Correct text={say("step3.common")} />}
          </dd>
          {PRINTED_DETAILS.filter(({ name }) => issuer[name] !== undefined).map(({ name, short }) => (
            <Fragment key={name}>
              <dt>{say(short)}</dt>
              <dd>{issuer[name]}</dd>
            </Fragment>
          ))}
          <dt>{say("step3.who.tax")}</dt>
          <dd>
            {say("step3.who.regime", {
              tax: say(`step3.tax.${issuer.territory}`),
              regime: say(regimeWord(issuer)),
            })}
          </dd>
        </dl>
        <NotInSii
          isTicked={declared.notInSii}
          problem={problems.sii}
          tick={(notInSii) => change({ notInSii })}
        />
        {foralProvince !== null && (
          <Checkbox
            id="foral"
            label={say("company.foral", { province: foralProvince })}
            checked={declared.commonRules}
            error={problems.foral}
            onChange={(event) => change({ commonRules: event.currentTarget.checked })}
          />
        )}
      </div>
    </Section>
  );
}

interface NotInSiiProps {
  readonly isTicked: boolean;
  readonly problem: string | undefined;
  readonly tick: (isTicked: boolean) => void;
}

/** Stated, as it was declared for the company; a box only for who wants to change it. */
function NotInSii({ isTicked, problem, tick }: NotInSiiProps) {
  const say = useWords();
  const [isChanging, setChanging] = useState(false);
  if (!isChanging) {
    return (
      <p className={styles.stated}>
        <span id="sii-stated">{say("company.sii")}</span>
        <Anchor
          component="button"
          type="button"
          size="sm"
          aria-describedby="sii-stated"
          onClick={() => setChanging(true)}
        >
          {say("edit")}
        </Anchor>
      </p>
    );
  }
  return (
    <Checkbox
      id="sii"
      label={say("company.sii")}
      checked={isTicked}
      error={problem}
      autoFocus
      onChange={(event) => tick(event.currentTarget.checked)}
    />
  );
}

function regimeWord({ defaultRegime, territory }: Setup["issuer"]) {
  if (defaultRegime === "07") return "step3.regime.07";
  if (defaultRegime !== "18") return "step3.regime.01";
  return territory === "canarias" ? "step3.regime.18.igic" : "step3.regime.18";
}

function Correct({ text }: { readonly text: string }) {
  return (
    <span className={styles.correct}>
      <IconCircleCheck size={16} aria-hidden />
      {text}
    </span>
  );
}
