import { Card } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import { useState } from "react";
import { useCompany } from "../../app/session.tsx";
import { Section } from "../../parts/page-head.tsx";
import { useWords } from "../../words/words.tsx";
import { SecretDialog } from "../settings/secret-dialog.tsx";
import { AccessFacts, TestMark } from "./access-card.tsx";
import { AccessForm } from "./access-form.tsx";
import { platformName } from "./platform.ts";
import type { Platform, ShopReading } from "./queries.ts";
import styles from "./shop.module.css";

interface DirectShopProps {
  readonly reading: ShopReading;
  readonly platform: Platform | undefined;
}

/** In the guided setup: the access to the shop, then what the shop answered. */
export function DirectShop({ reading, platform }: DirectShopProps) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  const { shop } = reading;
  // The form stays until its test was good, although the shop is stored before.
  const [isConnecting, setConnecting] = useState(shop === null);
  const [secret, setSecret] = useState<string>();
  if (shop === null || isConnecting) {
    return (
      <Section title={say("shop.connect.title")}>
        {isReadOnly ? (
          <p>{say("shop.none.readonly")}</p>
        ) : (
          <AccessForm
            reading={reading}
            platform={platform}
            keepSecret={setSecret}
            onConnected={() => setConnecting(false)}
          />
        )}
      </Section>
    );
  }
  const isRead = shop.url !== null;
  return (
    <>
      <Card className={styles.connected} role="status">
        <IconCircleCheck size={20} color="var(--ok)" aria-hidden />
        <p>
          {say(isRead ? "shop.connected" : "shop.connected.post", { platform: platformName(shop.platform) })}
        </p>
      </Card>
      <Section title={say("shop.access")} aside={isRead && <TestMark shop={shop} />}>
        <AccessFacts shop={shop} />
        {!isRead && <p className={styles.acts}>{say("shop.connected.address")}</p>}
      </Section>
      <SecretDialog
        title={say("shop.secret")}
        lead={say("shop.secret.lead")}
        secret={isRead ? undefined : secret}
        done={say("shop.secret.done")}
        close={() => setSecret(undefined)}
      />
    </>
  );
}
