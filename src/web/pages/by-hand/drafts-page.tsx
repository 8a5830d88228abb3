import { Button, Card } from "@mantine/core";
import { Link, useSearchParams } from "react-router";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { isPlace } from "../../parts/filters/known.ts";
import { useKnownParams, useRefusedParams } from "../../parts/filters/known-params.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { Pager } from "../../parts/pager.tsx";
import { Empty, ErrorCard, Loading } from "../../parts/states.tsx";
import { shortMoment } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import settings from "../settings/settings.module.css";
import { useDuplicate } from "./draft-acts.tsx";
import { useDrafts } from "./draft-queries.ts";

/** Every draft of the company, the last saved first. */
export function DraftsPage() {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  const [, setParams] = useSearchParams();
  const drafts = useDrafts(account.id, useKnownParams({ pagina: isPlace }).get("pagina"));
  const isRefused = useRefusedParams(drafts.error, { cursor: "pagina" });
  return (
    <>
      <PageHead
        title={say("hand.drafts")}
        from={{ to: paths.invoices(account.id), name: say("nav.invoices") }}
        place={say("hand.drafts")}
      >
        {!isReadOnly && (
          <Button component={Link} to={paths.newInvoice(account.id)}>
            {say("hand.title")}
          </Button>
        )}
      </PageHead>
      {(drafts.isPending || isRefused) && <Loading rows={6} />}
      {drafts.isError && !isRefused && <ErrorCard error={drafts.error} retry={() => void drafts.refetch()} />}
      {drafts.data && (
        <Card component="section" aria-label={say("hand.drafts")}>
          {drafts.data.items.length === 0 ? (
            <Empty text={say("hand.drafts.empty")} />
          ) : (
            <DraftList items={drafts.data.items} />
          )}
          <Pager previous={null} next={drafts.data.next} go={(pagina) => setParams({ pagina })} />
        </Card>
      )}
    </>
  );
}

type Item = NonNullable<ReturnType<typeof useDrafts>["data"]>["items"][number];

function DraftList({ items }: { readonly items: readonly Item[] }) {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  const duplicate = useDuplicate();
  return (
    <ul className={settings.rows}>
      {items.map(({ id, customer, description, savedAt, savedBy }) => (
        <li key={id}>
          <div className={settings.grow}>
            <Link to={paths.newInvoice(account.id, id)}>{customer || say("hand.drafts.nobody")}</Link>
            <p className="muted small">{description || say("hand.drafts.nothing")}</p>
            <p className="muted small">
              {say("hand.drafts.saved", {
                moment: shortMoment(savedAt, account.timeZone),
                name: savedBy ?? "—",
              })}
            </p>
          </div>
          {!isReadOnly && (
            <Button variant="default" size="xs" onClick={() => duplicate.mutate(id)}>
              {say("hand.duplicate")}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
