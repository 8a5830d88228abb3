import { Button, TextInput } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useState } from "react";
import { answer } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { NewerNotice, useNewer } from "../../parts/newer.tsx";
import { problemsByField, useSave } from "../../parts/save.ts";
import { Section } from "../../parts/section.tsx";
import { useWords } from "../../words/words.tsx";
import { type ConnectionPlace, ofConnection, type Setup, setupKey } from "./setup.ts";
import styles from "./wizard.module.css";

interface SeriesCardProps {
  readonly setup: Setup;
  readonly place: ConnectionPlace;
}

/** The real next numbers, as they will print. */
export function SeriesCard({ setup, place }: SeriesCardProps) {
  const say = useWords();
  const ofOrders = setup.series.filter(({ isOfOrders }) => isOfOrders);
  const hasOneStem = ofOrders.length === 1 && setup.profileStems.length === 0;
  return (
    <Section title={say("step3.series")}>
      <div className="stack">
        {setup.series.map((series) => (
          <div key={series.stem} className={styles.two}>
            {series.isOfOrders && hasOneStem ? (
              <StemField setup={setup} place={place} stem={series.stem} />
            ) : (
              <p>
                <b>{say(series.isOfOrders ? "step3.series.orders" : "step3.series.direct")}</b>
                <br />
                <span className="muted small">{series.stem}</span>
              </p>
            )}
            <dl className={styles.series}>
              {series.numbers.map(({ code, family, next }) => (
                <div key={code}>
                  <dt>{family ? say(`step3.series.${family}`) : code}</dt>
                  <dd>{next}</dd>
                </div>
              ))}
            </dl>
          </div>
        ))}
      </div>
      <p className={styles.note}>
        <IconAlertTriangle size={16} aria-hidden />
        {say("step3.series.warn")}
      </p>
    </Section>
  );
}

function StemField({ setup, place, stem }: SeriesCardProps & { readonly stem: string }) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  const [typed, setTyped] = useState(stem);
  const [problem, setProblem] = useState("");
  const newer = useNewer({
    read: { version: setup.versions.stem, values: { stem } },
    typed: { stem: typed },
    take: (values) => setTyped(values.stem),
    readAgain: setupKey(place),
  });
  const save = useSave({
    send: () =>
      newer.send((version) =>
        answer(ofConnection.stem.$put({ param: place, json: { stem: typed.trim(), version } })),
      ),
    refresh: [setupKey(place)],
    onSaved: () => {
      setProblem("");
      newer.saved();
    },
    onRefused: (error) =>
      setProblem(newer.isRefusedBy(error) ? "" : (Object.values(problemsByField(error, say))[0] ?? "")),
  });
  const changes = newer.before
    ? [{ what: say("step3.stem"), before: newer.before.stem, after: newer.base.values.stem }]
    : [];
  const isFree = setup.isStemFree && !isReadOnly;
  return (
    <div className="stack">
      <NewerNotice newer={newer} changes={changes} />
      <TextInput
        label={say("step3.stem")}
        description={say(setup.isStemFree ? "step3.stem.hint" : "step3.stem.used")}
        inputWrapperOrder={["label", "input", "error", "description"]}
        value={typed}
        disabled={!isFree}
        error={problem || undefined}
        onChange={(event) => setTyped(event.currentTarget.value.toUpperCase())}
      />
      {newer.isDirty && (
        <Button variant="default" size="xs" loading={save.isPending} onClick={() => save.mutate(undefined)}>
          {say("step3.stem.apply")}
        </Button>
      )}
    </div>
  );
}
