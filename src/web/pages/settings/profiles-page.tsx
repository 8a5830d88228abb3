import { Button, Card } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { Link } from "react-router";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { PageHead, Section } from "../../parts/page-head.tsx";
import { Empty, ErrorCard, Loading } from "../../parts/states.tsx";
import { useWords } from "../../words/words.tsx";
import { OssRates } from "./oss-rates.tsx";
import { NEW_PROFILE, WITHOUT_PROFILE } from "./profile-form.ts";
import { type ProfileShown, type Selling, useSellingList } from "./queries.ts";
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
        {ofOrders.map((one) => (
          <SellingCard key={one.connection.id} selling={one} />
        ))}
        <OssRates />
      </div>
    </>
  );
}

function SellingCard({ selling }: { readonly selling: Selling }) {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  const { connection, profiles, orders } = selling;
  const to = (profile: string) => paths.profile(account.id, connection.id, profile);
  return (
    <Section title={connection.name} flush>
      {profiles.length === 0 ? (
        <p className={styles.pad}>
          {say("profiles.none", { series: orders.series.map(({ code }) => code).join(", ") })}
        </p>
      ) : (
        <ul className={styles.rows}>
          {profiles.map((profile) => (
            <li key={profile.id}>
              <ProfileSentence profile={profile} selling={selling} to={to(profile.id)} />
            </li>
          ))}
        </ul>
      )}
      <div className={styles.foot}>
        {profiles.length === 0 && (
          <Button component={Link} to={to(WITHOUT_PROFILE)} variant="default">
            {say("profiles.settings")}
          </Button>
        )}
        {!isReadOnly && (
          <Button
            component={Link}
            to={to(NEW_PROFILE)}
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
          >
            {say("profiles.add")}
          </Button>
        )}
      </div>
      <TagRules selling={selling} />
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
