import { Button, Card, Progress } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { answer } from "../../api/client.ts";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { Command } from "../../parts/copy-text.tsx";
import { Loading } from "../../parts/states.tsx";
import { useWords } from "../../words/words.tsx";
import { useShop } from "../shop/queries.ts";
import { SetupFailed, SetupFrame } from "./frame.tsx";
import styles from "./setup.module.css";
import { type ConnectionPlace, ofConnection, useConnectionPlace, useSetup } from "./setup.ts";

const POLL_EVERY_MS = 2_000;

/** After the consent: how far the waiting orders have come. */
export function ProgressPage() {
  const say = useWords();
  const place = useConnectionPlace();
  const { me } = useCompany();
  const setup = useSetup(place);
  const shop = useShop(place, setup.data?.kind === "commerce");
  const progress = useQuery({
    queryKey: ["progress", place.account, place.connection],
    queryFn: () => answer(ofConnection.waiting.progress.$get({ param: place })),
    refetchInterval: ({ state }) => (state.data?.isDone ? false : POLL_EVERY_MS),
  });
  if (progress.isPending || setup.isPending) return <Loading />;
  if (progress.isLoadingError) return <SetupFailed setup={progress} step={3} />;
  const { data } = progress;
  const title = say(data.isDone ? "progress.title.done" : "progress.title");
  return (
    <SetupFrame
      step={3}
      title={title}
      done={{ 1: setup.data?.name ?? "" }}
      aside={null}
      foot={
        <div className="end">
          <Button component={Link} to={paths.review(place.account)} variant="default">
            {say("nav.review")}
          </Button>
          <Button component={Link} to={paths.invoices(place.account)}>
            {say("wizard.see_invoices")}
          </Button>
        </div>
      }
    >
      <Card className={styles.pad}>
        <div className="stack">
          <Progress
            value={data.isDone || data.total === 0 ? 100 : (100 * data.done) / data.total}
            size={10}
            radius={2}
            aria-label={title}
            transitionDuration={200}
          />
          <p role="status">{sentence()}</p>
        </div>
      </Card>
      {shop.data?.shop && <EarlierOrders place={place} />}
      {setup.data?.kind === "api" && (
        <Card className={styles.pad}>
          <div className="stack">
            <p>{say("wizard.first_call")}</p>
            <Command text={firstCall(me.apiUrl)} />
          </div>
        </Card>
      )}
    </SetupFrame>
  );
  function sentence(): string {
    if (data.paused) {
      return say("progress.paused", { reason: say(`progress.paused.${data.paused}`) });
    }
    const { done, total, invoiced, held, isDone } = data;
    if (!isDone) return say("progress.body", { done, total, invoiced, held });
    if (total > 0) return say("progress.done", { invoiced, held });
    return say(setup.data?.kind === "api" ? "progress.nothing.api" : "progress.nothing");
  }
}

/** The smallest invoice that a program can ask for; the key is not shown again. */
function firstCall(apiUrl: string): string {
  const body = JSON.stringify({
    ...{ external_id: "1", invoice_type: "F2", description: "Venta", currency: "EUR" },
    lines: [{ line_id: "1", description: "Café en grano", quantity: 2, price_unit: 18.5, tax_rate: 10 }],
  });
  return [
    `curl ${apiUrl}/api/v1/invoice`,
    "-H 'Content-Type: application/json'",
    "-H 'X-API-KEY: …'",
    `-d '${body}'`,
  ].join(" ");
}

/** A shop that is read by the service has orders from before it was connected. */
function EarlierOrders({ place }: { readonly place: ConnectionPlace }) {
  const say = useWords();
  return (
    <Card className={styles.pad}>
      <div className="stack">
        <p>{say("progress.earlier")}</p>
        <div>
          <Button
            component={Link}
            to={paths.connection(place.account, place.connection, "tienda")}
            variant="default"
          >
            {say("progress.earlier.button")}
          </Button>
        </div>
      </div>
    </Card>
  );
}
