import { Button, Card } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { answer } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { DateField } from "../../parts/date-field.tsx";
import { Select } from "../../parts/fields.tsx";
import { amongIds, isDay, lastDay, oneOf } from "../../parts/filters/known.ts";
import { useKnownParams, useRefusedParams } from "../../parts/filters/known-params.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { Pager } from "../../parts/pager.tsx";
import parts from "../../parts/parts.module.css";
import { Empty, ErrorCard, Loading } from "../../parts/states.tsx";
import { shortMoment } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import { factsText, verbText } from "./activity-words.ts";
import { ofAccount } from "./queries.ts";
import styles from "./settings.module.css";

const AREAS = [
  ...(["connections", "invoicing", "profiles", "orders", "invoices"] as const),
  ...(["keys", "access", "webhooks", "company", "people", "security"] as const),
] as const;

const FILTERS = ["person", "area", "from", "to"] as const;

/** By the names of the API, which are those of the address. */
const PARAMS = { person: "person", area: "area", from: "from", to: "to", cursor: "cursor" } as const;

async function readActivity(account: string, query: Readonly<Record<string, string>>) {
  const { area, ...rest } = query;
  const known = AREAS.find((one) => one === area);
  return answer(
    ofAccount.activity.$get({ param: { account }, query: { ...rest, ...(known ? { area: known } : {}) } }),
  );
}

function usePeople() {
  const { account } = useCompany();
  return useQuery({
    queryKey: ["activity-people", account.id],
    queryFn: async () =>
      (await answer(ofAccount.activity.people.$get({ param: { account: account.id } }))).people,
  });
}

type Line = Awaited<ReturnType<typeof readActivity>>["items"][number];

/** Everything that people changed, read only. */
export function ActivityPage() {
  const say = useWords();
  const { account } = useCompany();
  const [, setParams] = useSearchParams();
  const people = usePeople();
  const params = useKnownParams({
    ...{ area: oneOf(AREAS), from: isDay, to: lastDay("from") },
    person: amongIds(people.isFetchedAfterMount ? people.data : undefined),
  });
  const query = Object.fromEntries(
    Object.keys(PARAMS).flatMap((name) => {
      const value = params.get(name);
      return value ? [[name, value] as const] : [];
    }),
  );
  const page = useQuery({
    queryKey: ["activity", account.id, query],
    queryFn: () => readActivity(account.id, query),
    placeholderData: keepPreviousData,
  });
  const isRefused = useRefusedParams(page.error, PARAMS);
  const isFiltered = FILTERS.some((name) => params.has(name));
  const go = (cursor: string) =>
    setParams((before) => {
      before.set("cursor", cursor);
      return before;
    });
  return (
    <>
      <PageHead title={say("nav.activity")} lead={say("activity.lead")} />
      <Card>
        <Filters />
        {(page.isPending || isRefused) && <Loading />}
        {page.isError && !isRefused && <ErrorCard error={page.error} retry={() => void page.refetch()} />}
        {page.data?.items.length === 0 && (
          <Empty text={say(isFiltered ? "activity.none" : "activity.empty")} />
        )}
        {page.data && page.data.items.length > 0 && <Lines lines={page.data.items} />}
        {page.data && <Pager previous={page.data.previous} next={page.data.next} go={go} />}
      </Card>
    </>
  );
}

function Filters() {
  const say = useWords();
  const [params, setParams] = useSearchParams();
  const people = usePeople();
  function change(name: string, value: string | null) {
    setParams((before) => {
      before.delete("cursor");
      if (value) before.set(name, value);
      else before.delete(name);
      return before;
    });
  }
  const everybody = (people.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const areas = AREAS.map((value) => ({ value, label: say(`activity.area.${value}`) }));
  const isFiltered = FILTERS.some((name) => params.has(name));
  return (
    <div className={styles.filters}>
      <Select
        label={say("activity.who")}
        data={[{ value: "", label: say("activity.everybody") }, ...everybody]}
        allowDeselect={false}
        value={params.get("person") ?? ""}
        onChange={(value) => change("person", value)}
      />
      <Select
        label={say("activity.area")}
        data={[{ value: "", label: say("all") }, ...areas]}
        allowDeselect={false}
        value={params.get("area") ?? ""}
        onChange={(value) => change("area", value)}
      />
      {(["from", "to"] as const).map((name) => (
        <DateField
          key={name}
          label={say(`activity.${name}`)}
          clearable
          value={params.get(name) ?? ""}
          onChange={(date) => change(name, date)}
        />
      ))}
      {isFiltered && (
        <div className={styles.wide}>
          <Button variant="subtle" size="xs" onClick={() => setParams({})}>
            {say("clear_filters")}
          </Button>
        </div>
      )}
    </div>
  );
}

function Lines({ lines }: { readonly lines: readonly Line[] }) {
  const say = useWords();
  const { account } = useCompany();
  const rows = lines.map((line) => ({
    ...line,
    when: shortMoment(line.at, account.timeZone),
    who: line.name ?? say(line.isByKey ? "activity.connector" : "activity.former"),
    what: verbText(line.verb, say),
    details: factsText(line.facts, say),
  }));
  return (
    <>
      <div className={parts.folds}>
        <table className={parts.table}>
          <caption className="hidden">{say("nav.activity")}</caption>
          <thead>
            <tr>
              <th scope="col">{say("activity.when")}</th>
              <th scope="col">{say("activity.who")}</th>
              <th scope="col">{say("activity.what")}</th>
              <th scope="col">{say("activity.change")}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ id, when, who, what, details, connection }) => (
              <tr key={id}>
                <td className="nowrap">{when}</td>
                <td className={styles.who}>{who}</td>
                <td className={styles.who}>
                  {what}
                  {connection && <span className={parts.second}>{connection.name}</span>}
                </td>
                <td>
                  <Details details={details} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul className={parts.list}>
        {rows.map(({ id, when, who, what, details, connection }) => (
          <li key={id}>
            <span>
              {what}
              {connection && ` · ${connection.name}`}
            </span>
            <span className="muted small">
              {when} · {who}
            </span>
            <Details details={details} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Details({ details }: { readonly details: ReturnType<typeof factsText> }) {
  return details.map(({ what, before, after }) => (
    <span key={what} className="small" style={{ display: "block", overflowWrap: "anywhere" }}>
      <span className="muted">{what}: </span>
      {before !== undefined && (
        <>
          <del className="muted">{before}</del> →{" "}
        </>
      )}
      {after}
    </span>
  ));
}
