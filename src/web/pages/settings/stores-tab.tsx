import { Button } from "@mantine/core";
import { IconBuildingStore } from "@tabler/icons-react";
import { useState } from "react";
import { answer } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { Radio } from "../../parts/choices.tsx";
import { Form } from "../../parts/form.tsx";
import { NewerNotice } from "../../parts/newer.tsx";
import { Section } from "../../parts/page-head.tsx";
import { ReadOnly } from "../../parts/read-only.tsx";
import { problemsByField, useSave } from "../../parts/save.ts";
import { Empty, ErrorCard, Loading } from "../../parts/states.tsx";
import { count, shortMoment } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import { ofConnection, type Setup, setupKey, useConnectionPlace, useSetup } from "../setup/setup.ts";
import { StoreList, sumOf, useStoreChoice } from "../setup/store-list.tsx";
import { type Connection, connectionsKey } from "./queries.ts";
import styles from "./settings.module.css";

/** The stores invoiced here, and newly reported ones. */
export function StoresTab({ connection }: { readonly connection: Connection }) {
  const say = useWords();
  const place = useConnectionPlace();
  const setup = useSetup(place);
  if (!connection.takesOrders || connection.stores.length === 0) {
    return (
      <Section title={say("conn.tab.stores")} flush>
        <Empty text={say(connection.kind === "commerce" ? "stores.empty" : "stores.none")} />
      </Section>
    );
  }
  if (setup.isPending) return <Loading />;
  if (setup.isLoadingError) return <ErrorCard error={setup.error} retry={() => void setup.refetch()} />;
  return (
    <>
      <NewStores connection={connection} />
      <Choice setup={setup.data} />
    </>
  );
}

function NewStores({ connection }: { readonly connection: Connection }) {
  const say = useWords();
  const fresh = connection.stores.filter(({ isNew }) => isNew);
  if (fresh.length === 0) return null;
  const named = fresh.map(({ name, id }) => `«${name ?? id}»`).join(", ");
  return (
    <div className={styles.notice} role="status">
      <IconBuildingStore size={20} aria-hidden />
      <p>{say("stores.new", { n: fresh.length, stores: named })}</p>
    </div>
  );
}

function Choice({ setup }: { readonly setup: Setup }) {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  const place = useConnectionPlace();
  const [problem, setProblem] = useState("");
  const choice = useStoreChoice(setup, place);
  const { isAll, ticked, setAll, tick, newer } = choice;
  const save = useSave({
    send: () =>
      newer.send((version) =>
        answer(ofConnection.stores.$put({ param: place, json: choice.bodyOf(version) })),
      ),
    refresh: [setupKey(place), connectionsKey(place.account)],
    said: say("stores.saved"),
    onSaved: () => {
      setProblem("");
      newer.saved();
    },
    onRefused: (error) =>
      setProblem(newer.isRefusedBy(error) ? "" : (Object.values(problemsByField(error, say))[0] ?? "")),
  });
  const press = () => (!isAll && ticked.size === 0 ? setProblem(say("step2.none")) : save.mutate(undefined));
  return (
    <Form className="stack" onSubmit={press}>
      <NewerNotice newer={newer} changes={choice.changes} />
      <Section
        title={say("conn.tab.stores")}
        flush
        {...(setup.inventory
          ? { aside: say("step2.received", { when: momentOf(setup.inventory.receivedAt, account.timeZone) }) }
          : {})}
      >
        <div className={styles.pad}>
          <ReadOnly isReadOnly={isReadOnly}>
            <Radio.Group
              aria-label={say("step2.which")}
              value={isAll ? "all" : "some"}
              onChange={(value) => setAll(value === "all")}
            >
              <div className="stack">
                <Radio.One value="some" label={say("step2.some")} description={say("step2.some.sub")} />
                <Radio.One value="all" label={say("step2.all")} description={say("step2.all.sub")} />
              </div>
            </Radio.Group>
          </ReadOnly>
        </div>
        <StoreList
          setup={setup}
          isAll={isAll}
          ticked={ticked}
          tick={isReadOnly ? () => {} : tick}
          problem={problem || undefined}
        />
        <div className={styles.foot}>
          <span className="muted small">{say("step2.sum", sumOf(setup, isAll, ticked, count))}</span>
          {!isReadOnly && (
            <Button style={{ marginLeft: "auto" }} type="submit" loading={save.isPending}>
              {say("save")}
            </Button>
          )}
        </div>
      </Section>
      <p className="muted small">{say("stores.note")}</p>
    </Form>
  );
}

function momentOf(at: number, zone: string): string {
  return shortMoment(new Date(at).toISOString(), zone);
}
