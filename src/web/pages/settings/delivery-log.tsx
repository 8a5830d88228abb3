import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { answer } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { MoreOfList } from "../../parts/more-of-list.tsx";
import { useSave } from "../../parts/save.ts";
import { StateMark, type Tone } from "../../parts/state-mark.tsx";
import { ErrorCard, Loading } from "../../parts/states.tsx";
import { shortMoment } from "../../words/format.ts";
import { type Say, useWords } from "../../words/words.tsx";
import { type ConnectionPlace, ofConnection, useConnectionPlace } from "../setup/setup.ts";
import styles from "./settings.module.css";

const POLL_EVERY_MS = 5_000;

export function deliveriesKey(webhook: string) {
  return ["deliveries", webhook] as const;
}

async function readPage(place: ConnectionPlace, webhook: string, cursor: string) {
  const request = { param: { ...place, webhook }, query: cursor === "" ? {} : { cursor } };
  return answer(ofConnection.webhooks[":webhook"].deliveries.$get(request));
}

type Delivery = Awaited<ReturnType<typeof readPage>>["items"][number];

interface DeliveryLogProps {
  readonly webhook: string;
  readonly canResend: boolean;
}

/** The messages to one address, newest first. */
export function DeliveryLog({ webhook, canResend }: DeliveryLogProps) {
  const say = useWords();
  const place = useConnectionPlace();
  const log = useInfiniteQuery({
    queryKey: deliveriesKey(webhook),
    queryFn: ({ pageParam }) => readPage(place, webhook, pageParam),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
    refetchInterval: POLL_EVERY_MS,
  });
  if (log.isPending) return <Loading />;
  if (log.isLoadingError) return <ErrorCard error={log.error} retry={() => void log.refetch()} />;
  const deliveries = log.data.pages.flatMap(({ items }) => items);
  if (deliveries.length === 0) return <p className="muted small">{say("hooks.log.empty")}</p>;
  return (
    <>
      <ul className={styles.rows}>
        {deliveries.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} canResend={canResend} webhook={webhook} />
        ))}
      </ul>
      <MoreOfList list={log} label={say("hooks.log.more")} />
    </>
  );
}

interface DeliveryRowProps extends DeliveryLogProps {
  readonly delivery: Delivery;
}

const TONES: Readonly<Record<Delivery["status"], Tone>> = {
  waiting: "waiting",
  retrying: "decide",
  delivered: "done",
  given_up: "declined",
  stopped: "cancelled",
};

function DeliveryRow({ delivery, canResend, webhook }: DeliveryRowProps) {
  const say = useWords();
  const { account } = useCompany();
  const place = useConnectionPlace();
  const resend = useSave({
    send: () =>
      answer(
        ofConnection.webhooks.deliveries[":delivery"].resends.$post({
          param: { ...place, delivery: delivery.id },
        }),
      ),
    refresh: [deliveriesKey(webhook)],
  });
  const event =
    delivery.event === "webhook.test" ? say("hooks.event.test") : say(`hooks.event.${delivery.event}`);
  return (
    <li>
      <div className={styles.grow}>
        <span>{event}</span>
        <br />
        <span className="muted small">
          {shortMoment(delivery.askedAt, account.timeZone)} · {delivery.subject}
        </span>
        {(delivery.status === "retrying" || delivery.status === "given_up") && (
          <>
            <br />
            <span className="muted small">{failureText(delivery, say, account.timeZone)}</span>
          </>
        )}
      </div>
      <StateMark tone={TONES[delivery.status]}>{say(`hooks.status.${delivery.status}`)}</StateMark>
      {canResend && (
        <Button
          variant="subtle"
          size="xs"
          loading={resend.isPending}
          aria-label={`${say("hooks.resend")}: ${event}, ${delivery.subject}`}
          onClick={() => resend.mutate(undefined)}
        >
          {say("hooks.resend")}
        </Button>
      )}
    </li>
  );
}

function failureText({ lastAt, nextAt, lastOutcome }: Delivery, say: Say, zone: string): string {
  const reason = lastOutcome ? outcomeText(lastOutcome, say) : "—";
  const at = lastAt ? shortMoment(lastAt, zone) : "—";
  if (nextAt === undefined) return say("hooks.failed.last", { time: at, reason });
  return say("hooks.failed", { time: at, reason, next: shortMoment(nextAt, zone) });
}

export type Outcome = NonNullable<Delivery["lastOutcome"]>;

/** The outcome of a call in words. */
export function outcomeText(outcome: Outcome, say: Say): string {
  if (outcome.outcome === "delivered") return say("hooks.outcome.delivered");
  const status = "status" in outcome ? String(outcome.status) : "";
  return say(`hooks.outcome.${outcome.cause}`, { status });
}
