import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { answer } from "../../api/client.ts";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { DateField } from "../../parts/date-field.tsx";
import { NewerNotice, useNewer } from "../../parts/newer.tsx";
import { Section } from "../../parts/page-head.tsx";
import { problemsByField, useSave } from "../../parts/save.ts";
import { errorText } from "../../parts/states.tsx";
import { longDate, money } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import { ofConnection, setupKey, useConnectionPlace } from "../setup/setup.ts";
import { connectionsKey } from "./queries.ts";
import styles from "./settings.module.css";

interface CutoffMoveProps {
  readonly current: string;
  readonly version: string;
}

/** The start date: before saving, it shows the orders that another date adds or excludes. */
export function CutoffMove({ current, version }: CutoffMoveProps) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  const place = useConnectionPlace();
  const [typed, setTyped] = useState(current);
  const [problem, setProblem] = useState("");
  const newer = useNewer({
    read: { version, values: { date: current } },
    typed: { date: typed },
    take: (values) => setTyped(values.date),
    readAgain: connectionsKey(place.account),
  });
  const standing = newer.base.values.date;
  const isMoved = typed !== "" && typed !== standing;
  const effect = useEffectOf(typed, isMoved);
  const navigate = useNavigate();
  const save = useSave({
    send: () =>
      newer.send((version) =>
        answer(
          ofConnection.consent.cutoff.$put({
            param: place,
            json: { cutoff_date: typed, version },
          }),
        ),
      ),
    refresh: [connectionsKey(place.account), setupKey(place), ["progress", place.account, place.connection]],
    onSaved: () => {
      newer.saved();
      const { moves, orders } = effect.data ?? { moves: "nowhere", orders: 0 };
      // Added orders are decided now: the progress page shows it.
      if (moves === "earlier" && orders > 0) void navigate(paths.progress(place.account, place.connection));
    },
    onRefused: (error) =>
      setProblem(newer.isRefusedBy(error) ? "" : (Object.values(problemsByField(error, say))[0] ?? "")),
  });
  const { before } = newer;
  const changes = before
    ? [{ what: say("step3.cutoff.field"), before: longDate(before.date), after: longDate(standing) }]
    : [];
  return (
    <Section title={say("step3.cutoff")}>
      <div className="stack">
        <NewerNotice newer={newer} changes={changes} />
        <DateField
          id="cutoff_date"
          label={say("step3.cutoff.field")}
          description={say("step3.cutoff.hint")}
          value={typed}
          disabled={isReadOnly}
          error={problem || undefined}
          onChange={(date) => {
            setProblem("");
            setTyped(date);
          }}
        />
        {isMoved && <Effect date={typed} effect={effect} />}
        {isMoved && (
          <div className="row">
            <Button loading={save.isPending} onClick={() => save.mutate(undefined)}>
              {say("cutoff.save")}
            </Button>
            <Button variant="subtle" color="gray" onClick={() => setTyped(standing)}>
              {say("cancel")}
            </Button>
          </div>
        )}
      </div>
    </Section>
  );
}

function useEffectOf(date: string, isMoved: boolean) {
  const place = useConnectionPlace();
  return useQuery({
    queryKey: ["cutoff-effect", place.account, place.connection, date],
    queryFn: () => answer(ofConnection.waiting.cutoff.$get({ param: place, query: { cutoff: date } })),
    enabled: isMoved,
  });
}

interface EffectProps {
  readonly date: string;
  readonly effect: ReturnType<typeof useEffectOf>;
}

function Effect({ date, effect }: EffectProps) {
  const say = useWords();
  if (effect.isPending) return null;
  if (effect.isLoadingError) return <p className="muted small">{errorText(effect.error, say)}</p>;
  const { moves, orders: n, totalEur } = effect.data;
  const told =
    moves === "later"
      ? say("cutoff.later", { n })
      : say("cutoff.earlier", { n, date: longDate(date), amount: money(totalEur) });
  return (
    <p className={styles.effect} role="status">
      {told}
    </p>
  );
}
