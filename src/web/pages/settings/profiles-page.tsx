import { Button, Card } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { Fragment, useState } from "react";
import { Link } from "react-router";
import { answer } from "../../api/client.ts";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { PageHead, Section } from "../../parts/page-head.tsx";
import { useSave } from "../../parts/save.ts";
import { Empty, ErrorCard, Loading } from "../../parts/states.tsx";
import { countryName, date, percent } from "../../words/format.ts";
import { isWord, type Say, useWords } from "../../words/words.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { NEW_PROFILE, WITHOUT_PROFILE } from "./profile-form.ts";
import {
  type CompanySettings,
  companyKey,
  ofAccount,
  type ProfileShown,
  type Selling,
  useCompanySettings,
  useSellingList,
} from "./queries.ts";
import { RememberedAnswers } from "./remembered-answers.tsx";
import styles from "./settings.module.css";
import { TagRules } from "./tag-rules.tsx";

/** The grouping, treatment and numbering of orders, by connection. */
export function ProfilesPage() {
  const say = useWords();
  const { account } = useCompany();
  const selling = useSellingList(account.id);
  const ofOrders = (selling.data ?? []).filter(({ takesOrders }) => takesOrders);
  return (
    <>
      <PageHead title={say("nav.profiles")} lead={say("profiles.lead")} />
      {selling.isPending && <Loading />}
      {selling.isError && <ErrorCard error={selling.error} retry={() => void selling.refetch()} />}
      {selling.data && ofOrders.length === 0 && (
        <Card>
          <Empty text={say("profiles.empty")}>
            <Button component={Link} to={paths.connections(account.id)}>
              {say("nav.connections")}
            </Button>
          </Empty>
        </Card>
      )}
      <div className="stack">
        {ofOrders
          .filter(({ profiles }) => profiles.length > 0)
          .map((one) => (
            <WithProfiles key={one.connection.id} selling={one} />
          ))}
        <WithoutProfiles selling={ofOrders.filter(({ profiles }) => profiles.length === 0)} />
        <TagRules selling={ofOrders} />
        <RememberedAnswers />
        <OssRates />
      </div>
    </>
  );
}

function WithProfiles({ selling }: { readonly selling: Selling }) {
  const { account, isReadOnly } = useCompany();
  const { connection, profiles } = selling;
  const to = (profile: string) => paths.profile(account.id, connection.id, profile);
  return (
    <Section title={connection.name} flush>
      <ul className={styles.rows}>
        {profiles.map((profile) => (
          <li key={profile.id}>
            <ProfileSentence profile={profile} selling={selling} to={to(profile.id)} />
          </li>
        ))}
      </ul>
      {!isReadOnly && (
        <div className={styles.foot}>
          <AddProfile selling={selling} />
        </div>
      )}
    </Section>
  );
}

interface AddProfileProps {
  readonly selling: Selling;
  readonly isSmall?: boolean;
}

function AddProfile({ selling: { connection }, isSmall = false }: AddProfileProps) {
  const say = useWords();
  const { account } = useCompany();
  return (
    <Button
      component={Link}
      to={paths.profile(account.id, connection.id, NEW_PROFILE)}
      variant="default"
      size={isSmall ? "xs" : "sm"}
      aria-label={say("profiles.add.of", { connection: connection.name })}
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      {say("profiles.add")}
    </Button>
  );
}

/** A line for each connection with its series, and a sentence with the programs that send no orders. */
function WithoutProfiles({ selling }: { readonly selling: readonly Selling[] }) {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  const ofOrders = selling.filter(({ direct, namesOrders }) => !direct || namesOrders);
  const programs = selling.filter(({ direct, namesOrders }) => direct && !namesOrders);
  const settingsOf = ({ connection }: Selling) => paths.profile(account.id, connection.id, WITHOUT_PROFILE);
  if (selling.length === 0) return null;
  return (
    <Section title={say("profiles.none.title")} flush>
      {ofOrders.length > 0 && <p className={`${styles.pad} muted`}>{say("profiles.none")}</p>}
      <ul className={styles.rows}>
        {ofOrders.map((one) => (
          <li key={one.connection.id}>
            <div className={styles.grow}>
              <b>{one.connection.name}</b>{" "}
              <span className="muted small">
                {one.orders.series.map(({ code }, index) => (
                  <Fragment key={code}>
                    {index > 0 && ", "}
                    <span className="nowrap">{code}</span>
                  </Fragment>
                ))}
              </span>
            </div>
            <div className="row">
              <Button
                component={Link}
                to={settingsOf(one)}
                variant="default"
                size="xs"
                aria-label={say("profiles.configure.of", { connection: one.connection.name })}
              >
                {say("profiles.configure")}
              </Button>
              {!isReadOnly && <AddProfile selling={one} isSmall />}
            </div>
          </li>
        ))}
        {programs.length > 0 && (
          <li>
            <p className={`${styles.grow} muted`}>
              {say("profiles.programs")}{" "}
              {programs.map((one, index) => (
                <Fragment key={one.connection.id}>
                  {index > 0 && ", "}
                  <Link to={settingsOf(one)}>{one.connection.name}</Link>
                </Fragment>
              ))}
            </p>
          </li>
        )}
      </ul>
    </Section>
  );
}

interface ProfileSentenceProps {
  readonly profile: ProfileShown;
  readonly selling: Selling;
  readonly to: string;
}

/** «Profesionales» takes shop 3 and issues in B-2026. */
function ProfileSentence({ profile, selling, to }: ProfileSentenceProps) {
  const say = useWords();
  const { name, channel, storeId, series, sales } = profile;
  const store = selling.stores.find(({ id }) => id === storeId)?.name ?? storeId ?? "";
  const takes =
    channel !== null && storeId !== null
      ? say("profile.takes.both", { channel, store })
      : channel !== null
        ? say("profile.takes.channel", { channel })
        : say("profile.takes.store", { store });
  const code = series[0]?.code ?? profile.stem;
  return (
    <div className={styles.sentence}>
      <span>
        <Link to={to}>{name}</Link> {say("profile.sentence", { takes, series: code })}
      </span>
      <span className="muted small">{say(`mode.${sales.issuingMode}`)}</span>
    </div>
  );
}

type OssRate = CompanySettings["ossRates"][number];

/** Rates of other countries that the owner has kept; nothing is shown while there is none. */
export function OssRates() {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  const company = useCompanySettings(account.id);
  const [leaving, setLeaving] = useState<OssRate>();
  const rates = company.data?.ossRates ?? [];
  if (rates.length === 0) return null;
  return (
    <Section title={say("oss_rates.title")} flush>
      <p className={`${styles.pad} muted`}>{say("oss_rates.lead")}</p>
      <ul className={styles.rows}>
        {rates.map((one) => (
          <OssRateRow
            key={`${one.area} ${one.rate}`}
            kept={one}
            withdraw={isReadOnly ? undefined : () => setLeaving(one)}
          />
        ))}
      </ul>
      {leaving && <WithdrawDialog kept={leaving} close={() => setLeaving(undefined)} />}
    </Section>
  );
}

interface OssRateRowProps {
  readonly kept: OssRate;
  readonly withdraw: (() => void) | undefined;
}

function OssRateRow({ kept, withdraw }: OssRateRowProps) {
  const say = useWords();
  const { account } = useCompany();
  const { area, rate, from, keptAt } = kept;
  return (
    <li>
      <div className={styles.grow}>
        <b>
          {areaName(area, say)}, {percent(rate)}
        </b>{" "}
        · {say("oss_rates.from", { date: date(from) })}
        <br />
        <span className="muted small">{say("oss_rates.kept", { date: date(keptAt, account.timeZone) })}</span>
      </div>
      {withdraw && (
        <Button variant="default" size="xs" aria-label={titleOf(kept, say)} onClick={withdraw}>
          {say("oss_rates.withdraw")}
        </Button>
      )}
    </li>
  );
}

function WithdrawDialog({ kept, close }: { readonly kept: OssRate; readonly close: () => void }) {
  const say = useWords();
  const { account } = useCompany();
  const { area, rate } = kept;
  const end = useSave({
    send: () =>
      answer(
        ofAccount.company["oss-rates"].$delete({ param: { account: account.id }, query: { area, rate } }),
      ),
    refresh: [companyKey(account.id), [account.id, "orders"]],
    onSaved: close,
  });
  return (
    <ConfirmDialog
      title={titleOf(kept, say)}
      isOpen
      close={close}
      act={say("oss_rates.withdraw")}
      isBusy={end.isPending}
      confirm={() => end.mutate(undefined)}
    >
      <p>{say("oss_rates.withdraw.body")}</p>
    </ConfirmDialog>
  );
}

function titleOf({ area, rate }: OssRate, say: Say): string {
  return say("oss_rates.withdraw.of", { rate: percent(rate), place: areaName(area, say) });
}

/** `FR:corsica` is Francia (Córcega). */
function areaName(area: OssRate["area"], say: Say): string {
  const [state = "", region] = area.split(":");
  if (state === "XI") return say("oss_rates.northern_ireland");
  const id = `oss_rates.${region}`;
  return region && isWord(id) ? `${countryName(state)} (${say(id)})` : countryName(state);
}
