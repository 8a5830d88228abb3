import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { answer } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { CopyIcon } from "../../parts/copy-text.tsx";
import { Section } from "../../parts/page-head.tsx";
import { useSave } from "../../parts/save.ts";
import { StateMark } from "../../parts/state-mark.tsx";
import { longDate, shortMoment } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import { ConfirmDialog } from "../settings/confirm-dialog.tsx";
import type { HookSecret } from "../settings/secret-dialog.tsx";
import { useConnectionPlace } from "../setup/setup.ts";
import { failureText } from "./access-values.ts";
import { Guide } from "./guide.tsx";
import { platformName, stepsOf } from "./platform.ts";
import { ofShop, type Shop, shopKey } from "./queries.ts";
import styles from "./shop.module.css";

interface NoticesCardProps {
  readonly shop: Shop;
  readonly show: (secret: HookSecret) => void;
}

/** How a change in the shop becomes known here: by notices, or because the service asks for changes. */
export function NoticesCard({ shop, show }: NoticesCardProps) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  const { webhooks, url, platform } = shop;
  const isRead = url !== null;
  const isMadeByUs = isRead && webhooks.offered;
  return (
    <Section title={say("shop.notices")} aside={<NoticesMark shop={shop} />}>
      <div className="stack">
        {isMadeByUs ? (
          <OwnNotices shop={shop} />
        ) : (
          <p className={styles.lead}>
            {isRead
              ? `${say("shop.notices.poll.minutes")} ${say("shop.notices.optional")}`
              : say("shop.notices.by_hand")}
          </p>
        )}
        {!isRead && (
          <Guide
            title={say("shop.how.posted")}
            steps={stepsOf({ platform, way: "post", app: "client" }, say)}
          />
        )}
        <Folded isOpen={!isRead} title={say("shop.address.show")}>
          <div className="stack">
            <Delivering shop={shop} />
            {!isReadOnly && <DeliveryActs shop={shop} show={show} />}
          </div>
        </Folded>
      </div>
    </Section>
  );
}

function NoticesMark({ shop: { webhooks, url } }: { readonly shop: Shop }) {
  const say = useWords();
  if (url === null || !webhooks.offered || webhooks.state === "none") return null;
  switch (webhooks.state) {
    case "made":
      return <StateMark tone="done">{say("shop.notices.made")}</StateMark>;
    case "pending":
      return <StateMark tone="waiting">{say("shop.notices.pending")}</StateMark>;
    default:
      return <StateMark tone="decide">{say(`shop.notices.${webhooks.state}`)}</StateMark>;
  }
}

/** The notices that the service makes at the shop. */
function OwnNotices({ shop }: { readonly shop: Shop }) {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  const place = useConnectionPlace();
  const make = useSave({
    send: () => answer(ofShop.webhooks.$post({ param: place })),
    refresh: [shopKey(place)],
  });
  const { state, topics, madeAt, nextAt, failure } = shop.webhooks;
  const text = (): string => {
    if (state === "made" && madeAt !== null) {
      return say("shop.notices.made.note", { when: longDate(madeAt, account.timeZone) });
    }
    if (state === "pending") return say("shop.notices.pending.note");
    if (state === "refused") return say("shop.notices.refused.note");
    if (state === "failing") {
      const cause = failureText(failure, platformName(shop.platform), say);
      return nextAt === null
        ? cause
        : say("shop.notices.failing.note", { cause, when: shortMoment(nextAt, account.timeZone) });
    }
    return say("shop.notices.lead");
  };
  return (
    <>
      <p className={styles.lead}>{text()}</p>
      {state === "made" && topics.length > 0 && <p className="code">{topics.join(", ")}</p>}
      {!isReadOnly && state !== "pending" && (
        <div>
          <Button
            variant={state === "none" ? "filled" : "default"}
            loading={make.isPending}
            onClick={() => make.mutate(undefined)}
          >
            {say(state === "none" ? "shop.notices.make" : "shop.notices.make.again")}
          </Button>
        </div>
      )}
    </>
  );
}

/** The address and the secret with which a shop delivers. */
function Delivering({ shop }: { readonly shop: Shop }) {
  const say = useWords();
  const { account } = useCompany();
  const { addressUrl, previousUntil, secretTail, hasPreviousSecret, platform } = shop;
  const secretText = (): string => {
    if (secretTail === null) return say("shop.secret.none");
    return say(platform === "shopify" ? "shop.secret.theirs" : "shop.secret.tail", { tail: secretTail });
  };
  return (
    <dl className="facts">
      <dt>{say("shop.address")}</dt>
      <dd>
        <div className={styles.copied}>
          <code>{addressUrl}</code>
          <CopyIcon text={addressUrl} what={say("shop.address")} />
        </div>
        {previousUntil !== null && (
          <span className="muted small">
            {say("shop.address.previous", { when: shortMoment(previousUntil, account.timeZone) })}
          </span>
        )}
      </dd>
      <dt>{say("shop.secret")}</dt>
      <dd>
        {secretText()}
        {hasPreviousSecret && (
          <>
            <br />
            <StateMark tone="decide">{say("shop.secret.two")}</StateMark>
          </>
        )}
      </dd>
    </dl>
  );
}

interface FoldedProps {
  readonly isOpen: boolean;
  readonly title: string;
  readonly children: ReactNode;
}

/** Where the service makes the notices, nobody needs the address. */
function Folded({ isOpen, title, children }: FoldedProps) {
  if (isOpen) return children;
  return (
    <details className={styles.own}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}

type Asked = "renew" | "rotate" | "end";

function DeliveryActs({ shop, show }: NoticesCardProps) {
  const say = useWords();
  const [asked, setAsked] = useState<Asked>();
  const { previousUntil, hasPreviousSecret, platform, webhooks } = shop;
  const close = () => setAsked(undefined);
  const acts = useDeliveryActs(show, close);
  const isOurs = platform !== "shopify";
  const renewBody = webhooks.state === "made" ? "shop.address.renew.made" : "shop.address.renew.body";
  return (
    <div className="row">
      {previousUntil === null && (
        <Button variant="default" size="xs" onClick={() => setAsked("renew")}>
          {say("shop.address.renew")}
        </Button>
      )}
      {isOurs && !hasPreviousSecret && (
        <Button variant="default" size="xs" onClick={() => setAsked("rotate")}>
          {say("shop.secret.rotate")}
        </Button>
      )}
      {hasPreviousSecret && (
        <Button variant="default" size="xs" onClick={() => setAsked("end")}>
          {say("shop.secret.end")}
        </Button>
      )}
      <ConfirmDialog
        title={say("shop.address.renew.title")}
        isOpen={asked === "renew"}
        close={close}
        act={say("shop.address.renew")}
        isBusy={acts.renew.isPending}
        isHarmless
        confirm={() => acts.renew.mutate(undefined)}
      >
        <p>{say(renewBody)}</p>
      </ConfirmDialog>
      <ConfirmDialog
        title={say("shop.secret.rotate.title")}
        isOpen={asked === "rotate"}
        close={close}
        act={say("shop.secret.rotate")}
        isBusy={acts.rotate.isPending}
        isHarmless
        confirm={() => acts.rotate.mutate(undefined)}
      >
        <p>{say("shop.secret.rotate.body")}</p>
      </ConfirmDialog>
      <ConfirmDialog
        title={say("shop.secret.end.title")}
        isOpen={asked === "end"}
        close={close}
        act={say("shop.secret.end")}
        isBusy={acts.end.isPending}
        confirm={() => acts.end.mutate(undefined)}
      >
        <p>{say("shop.secret.end.body")}</p>
      </ConfirmDialog>
    </div>
  );
}

function useDeliveryActs(show: (secret: HookSecret) => void, close: () => void) {
  const place = useConnectionPlace();
  const refresh = [shopKey(place)];
  return {
    renew: useSave({
      send: () => answer(ofShop.address.$post({ param: place })),
      refresh,
      onSaved: close,
    }),
    rotate: useSave({
      send: () => answer(ofShop.secret.$post({ param: place })),
      refresh,
      onSaved: (made) => {
        close();
        show({ secret: "secret" in made ? made.secret : undefined, shownBefore: "shop.secret.shown" });
      },
    }),
    end: useSave({
      send: () => answer(ofShop.secret.previous.$delete({ param: place })),
      refresh,
      onSaved: close,
    }),
  };
}
