import { Button, Card } from "@mantine/core";
import { IconBuildingStore, IconInfoCircle, IconTruckDelivery } from "@tabler/icons-react";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { answer } from "../../api/client.ts";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { Radio } from "../../parts/choices.tsx";
import { Form } from "../../parts/form.tsx";
import { NewerNotice } from "../../parts/newer.tsx";
import { showFailure, useSave } from "../../parts/save.ts";
import { Loading } from "../../parts/states.tsx";
import { count, shortMoment } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import { AsideList, SetupFailed, SetupFrame } from "./frame.tsx";
import { platformTitle } from "./platforms.ts";
import styles from "./setup.module.css";
import { ofConnection, type Setup, setupKey, useConnectionPlace, useSetup } from "./setup.ts";
import { StoreList, sumOf, useStoreChoice } from "./store-list.tsx";

const POLL_EVERY_MS = 3_000;
const FORM = "stores";

/** Step 2: which shops of the installation are invoiced here. */
export function StoresPage() {
  const place = useConnectionPlace();
  const setup = useSetup(place, POLL_EVERY_MS);
  if (setup.isPending) return <Loading />;
  if (setup.isLoadingError) return <SetupFailed setup={setup} step={2} />;
  // After the first report the choice is the owner's: later stores appear without changing it.
  return <Choice key={setup.data.stores.length === 0 ? "empty" : "filled"} setup={setup.data} />;
}

function Choice({ setup }: { readonly setup: Setup }) {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  const place = useConnectionPlace();
  const navigate = useNavigate();
  const [isTold, setTold] = useState(false);
  const choice = useStoreChoice(setup, place);
  const { isAll, ticked, setAll, tick, newer } = choice;
  const save = useSave({
    send: () =>
      newer.send((version) =>
        answer(ofConnection.stores.$put({ param: place, json: choice.bodyOf(version) })),
      ),
    refresh: [setupKey(place), ["connections", account.id]],
    onSaved: () => void navigate(paths.consent(place.account, place.connection)),
    onRefused: (error) => {
      if (!newer.isRefusedBy(error)) showFailure(error, say);
    },
  });
  const isNone = !isAll && ticked.size === 0;
  const platform = platformTitle(setup.platform) ?? say("step2.shop");
  return (
    <SetupFrame
      step={2}
      title={say("step2.title")}
      lead={say("step2.lead", { platform, n: setup.stores.length })}
      done={{ 1: setup.name }}
      aside={<StoresAside />}
      foot={
        <>
          <Button
            component={Link}
            to={`${paths.connect(place.account)}/${place.connection}`}
            variant="subtle"
            color="gray"
          >
            {say("back")}
          </Button>
          <div className="end">
            <span className="muted small">{say("step2.sum", sumOf(setup, isAll, ticked, count))}</span>
            <Button type="submit" form={FORM} loading={save.isPending} disabled={isReadOnly}>
              {say("save_next")}
            </Button>
          </div>
        </>
      }
    >
      <Form id={FORM} className="stack" onSubmit={() => (isNone ? setTold(true) : save.mutate(undefined))}>
        <NewerNotice newer={newer} changes={choice.changes} />
        <Radio.Group
          aria-label={say("step2.which")}
          value={isAll ? "all" : "some"}
          onChange={(value) => setAll(value === "all")}
        >
          <div className={styles.options}>
            {(["some", "all"] as const).map((which) => (
              <Radio.Card key={which} value={which} className={styles.option ?? ""}>
                <Radio.Indicator />
                <div>
                  <b>{say(`step2.${which}`)}</b>
                  <span>{say(`step2.${which}.sub`)}</span>
                </div>
              </Radio.Card>
            ))}
          </div>
        </Radio.Group>
        <Card>
          {setup.stores.length === 0 ? (
            <p className={styles.pad}>{say("step2.empty")}</p>
          ) : (
            <StoreList
              setup={setup}
              isAll={isAll}
              ticked={ticked}
              tick={tick}
              problem={isTold && isNone ? say("step2.none") : undefined}
            />
          )}
        </Card>
      </Form>
      {setup.inventory && (
        <p className="muted small">
          {say("step2.received", {
            when: shortMoment(new Date(setup.inventory.receivedAt).toISOString(), account.timeZone),
          })}
        </p>
      )}
    </SetupFrame>
  );
}

function StoresAside() {
  const say = useWords();
  return (
    <AsideList
      title={say("step2.aside")}
      lines={[
        { icon: <IconTruckDelivery size={16} aria-hidden />, text: say("step2.aside.1") },
        { icon: <IconInfoCircle size={16} aria-hidden />, text: say("step2.aside.2") },
        { icon: <IconBuildingStore size={16} aria-hidden />, text: say("step2.aside.3") },
      ]}
    />
  );
}
