import { Button } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "react-router";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { Section } from "../../parts/page-head.tsx";
import { Empty, ErrorCard, Loading } from "../../parts/states.tsx";
import { useWords } from "../../words/words.tsx";
import type { Connection } from "../settings/queries.ts";
import { type HookSecret, HookSecretDialog, SecretDialog } from "../settings/secret-dialog.tsx";
import { useConnectionPlace } from "../setup/setup.ts";
import { AccessCard } from "./access-card.tsx";
import { AccessForm } from "./access-form.tsx";
import { BackfillCard } from "./backfill-card.tsx";
import { DeliveriesCard } from "./deliveries-card.tsx";
import { DisconnectCard } from "./disconnect-card.tsx";
import { HealthCard } from "./health-card.tsx";
import { NoticesCard } from "./notices-card.tsx";
import { type Shop, type ShopReading, useShop } from "./queries.ts";
import { SeenCard } from "./seen-card.tsx";
import styles from "./shop.module.css";
import { StatusesCard } from "./statuses-card.tsx";

/** The shop of a connection that is read without a connector: its setup, and whether everything arrives. */
export function ShopTab({ connection }: { readonly connection: Connection }) {
  const place = useConnectionPlace();
  const shop = useShop(place);
  if (shop.isPending) return <Loading rows={6} />;
  if (shop.isLoadingError) return <ErrorCard error={shop.error} retry={() => void shop.refetch()} />;
  return <ShopOrForm reading={shop.data} connection={connection} />;
}

interface ShopOrFormProps {
  readonly reading: ShopReading;
  readonly connection: Connection;
}

function ShopOrForm({ reading, connection }: ShopOrFormProps) {
  const { isReadOnly } = useCompany();
  // The form stays until its test was good, although the shop is stored before.
  const [isConnecting, setConnecting] = useState(reading.shop === null);
  const [secret, setSecret] = useState<string>();
  const [kept, setKept] = useState<string>();
  const { shop } = reading;
  const isAsking = shop === null || (isConnecting && !isReadOnly);
  if (shop === null && !isConnecting) setConnecting(true);
  return (
    <>
      {isAsking ? (
        <ConnectCard
          reading={reading}
          keepSecret={setKept}
          onConnected={(made) => {
            setConnecting(false);
            setSecret(made);
          }}
        />
      ) : (
        <ShopCards reading={reading} shop={shop} connection={connection} keepSecret={setKept} />
      )}
      <ShownOnce
        secret={shop?.url === null ? (secret ?? kept) : undefined}
        close={() => {
          setSecret(undefined);
          setKept(undefined);
        }}
      />
    </>
  );
}

/** Only a shop that signs by itself needs the secret; where the service reads it, nobody has to copy it. */
function ShownOnce({ secret, close }: { readonly secret: string | undefined; readonly close: () => void }) {
  const say = useWords();
  return (
    <SecretDialog
      title={say("shop.secret")}
      lead={say("shop.secret.lead")}
      secret={secret}
      done={say("shop.secret.done")}
      close={close}
    />
  );
}

interface ConnectCardProps {
  readonly reading: ShopReading;
  readonly keepSecret: (secret: string) => void;
  readonly onConnected: (secret: string | undefined) => void;
}

function ConnectCard(props: ConnectCardProps) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  if (isReadOnly) {
    return (
      <Section title={say("conn.tab.shop")} flush>
        <Empty text={say("shop.none.readonly")} />
      </Section>
    );
  }
  return (
    <Section title={say("shop.connect.title")}>
      <div className="stack">
        <p className={styles.lead}>{say("shop.none")}</p>
        <AccessForm {...props} />
      </div>
    </Section>
  );
}

interface ShopCardsProps extends ShopOrFormProps {
  readonly shop: Shop;
  readonly keepSecret: (secret: string) => void;
}

/** First what may need the owner, then the settings in the order in which they are made. */
function ShopCards({ reading, shop, connection, keepSecret }: ShopCardsProps) {
  const { isReadOnly } = useCompany();
  const [shown, setShown] = useState<HookSecret>();
  const [isEditing, setEditing] = useState(false);
  return (
    <>
      <ConsentNotice connection={connection} />
      <div className={isEditing ? "stack" : styles.pair}>
        <HealthCard shop={shop} />
        <AccessCard
          reading={reading}
          shop={shop}
          keepSecret={keepSecret}
          isEditing={isEditing}
          edit={setEditing}
        />
      </div>
      <NoticesCard shop={shop} show={setShown} />
      <StatusesCard shop={shop} />
      <SeenCard />
      <BackfillCard shop={shop} connection={connection} />
      <DeliveriesCard />
      {!isReadOnly && <DisconnectCard />}
      <HookSecretDialog secret={shown} close={() => setShown(undefined)} />
    </>
  );
}

function ConsentNotice({ connection: { id, consent } }: { readonly connection: Connection }) {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  if (consent && !consent.withdrawnAt) return null;
  return (
    <div className={styles.notice} role="status">
      <IconAlertTriangle size={20} aria-hidden />
      <p>{say("shop.consent")}</p>
      {!isReadOnly && (
        <Button component={Link} to={paths.consent(account.id, id)} size="xs">
          {say("conn.turn_on")}
        </Button>
      )}
    </div>
  );
}
