import { Button } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useState } from "react";
import { answer } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { TextInput } from "../../parts/fields.tsx";
import { NewerNotice, useNewer } from "../../parts/newer.tsx";
import { Section } from "../../parts/page-head.tsx";
import { Pair } from "../../parts/read-only.tsx";
import { problemsByField, useSave } from "../../parts/save.ts";
import { useWords } from "../../words/words.tsx";
import styles from "./setup.module.css";
import { type ConnectionPlace, ofConnection, type Setup, setupKey } from "./setup.ts";

interface SeriesCardProps {
  readonly setup: Setup;
  readonly place: ConnectionPlace;
  readonly problem?: string | undefined;
  /** Reports if an unsaved stem is in the field. */
  readonly leaveOpen?: (isOpen: boolean) => void;
}

/** The real next numbers, as they will print. */
export function SeriesCard(props: SeriesCardProps) {
  const say = useWords();
  const { setup } = props;
  const ofOrders = setup.series.filter(({ isOfOrders }) => isOfOrders);
  const hasOneStem = ofOrders.length === 1 && setup.profileStems.length === 0;
  return (
    <Section title={say("step3.series")}>
      <div className="stack">
        {setup.series.map((series) => (
          <div key={series.stem} className={styles.two}>
            {series.isOfOrders && hasOneStem ? (
              <StemField {...props} stem={series.stem} />
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
        {say(hasOneStem && setup.isStemFree ? "step3.series.warn" : "step3.series.warn.fixed")}
      </p>
    </Section>
  );
}

function StemField(props: SeriesCardProps & { readonly stem: string }) {
  const { setup, place, stem, leaveOpen = () => {} } = props;
  const say = useWords();
  const { isReadOnly } = useCompany();
  const [typed, setTyped] = useState(stem);
  const [refused, setRefused] = useState("");
  const newer = useNewer({
    read: { version: setup.versions.stem, values: { stem } },
    typed: { stem: typed },
    take: (values) => enter(values.stem),
    readAgain: setupKey(place),
  });
  function enter(text: string) {
    setRefused("");
    setTyped(text);
    leaveOpen(text.trim() !== newer.base.values.stem);
  }
  const save = useSave({
    send: () =>
      newer.send((version) =>
        answer(ofConnection.stem.$put({ param: place, json: { stem: typed.trim(), version } })),
      ),
    refresh: [setupKey(place)],
    onSaved: () => {
      newer.saved();
      leaveOpen(false);
    },
    onRefused: (error) =>
      setRefused(newer.isRefusedBy(error) ? "" : (Object.values(problemsByField(error, say))[0] ?? "")),
  });
  const changes = newer.before
    ? [{ what: say("step3.stem"), before: newer.before.stem, after: newer.base.values.stem }]
    : [];
  const isFree = setup.isStemFree && !isReadOnly;
  return (
    <div className="stack">
      <NewerNotice newer={newer} changes={changes} />
      {isFree ? (
        <TextInput
          id="stem"
          label={say("step3.stem")}
          description={say("step3.stem.hint")}
          value={typed}
          error={refused || props.problem}
          onChange={(event) => enter(event.currentTarget.value.toUpperCase())}
        />
      ) : (
        <div>
          <Pair label={say("step3.stem")}>{stem}</Pair>
          {!setup.isStemFree && <p className="muted small">{say("step3.stem.used")}</p>}
        </div>
      )}
      {newer.isDirty && (
        <div className="row">
          <Button variant="default" size="xs" loading={save.isPending} onClick={() => save.mutate(undefined)}>
            {say("step3.stem.apply")}
          </Button>
          <Button variant="subtle" color="gray" size="xs" onClick={() => enter(newer.base.values.stem)}>
            {say("cancel")}
          </Button>
        </div>
      )}
    </div>
  );
}
