import { Button } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useState } from "react";
import { answer } from "../../api/client.ts";
import { Select, TextInput } from "../../parts/fields.tsx";
import { problemsByField, useSave } from "../../parts/save.ts";
import { type Say, useWords } from "../../words/words.tsx";
import { ofConnection, useConnectionPlace } from "../setup/setup.ts";
import type { ProfileForm } from "./profile-form.ts";
import type { Selling } from "./queries.ts";
import styles from "./settings.module.css";

interface TestBoxProps {
  readonly form: UseFormReturnType<ProfileForm>;
  readonly selling: Selling;
  readonly profile: string | undefined;
}

/** "This order would go to …": by the rules that decide orders, with the unsaved profile. */
export function TestBox({ form, selling, profile }: TestBoxProps) {
  const say = useWords();
  const place = useConnectionPlace();
  const [example, setExample] = useState({ order: "", channel: "", store: "" });
  const [problem, setProblem] = useState("");
  const test = useSave({
    send: () =>
      answer(
        ofConnection.profiles.test.$post({
          param: place,
          json: {
            order: example.order.trim() || null,
            channel: example.channel.trim() || null,
            store_id: example.store || null,
            draft: draftOf(form.values, profile),
          },
        }),
      ),
    onSaved: () => setProblem(""),
    onRefused: (error) => setProblem(Object.values(problemsByField(error, say))[0] ?? ""),
  });
  const stores = [
    { value: "", label: say("profile.test.no_store") },
    ...selling.stores.map(({ id, name }) => ({ value: id, label: name ?? id })),
  ];
  return (
    <div className="stack" style={{ marginTop: 20 }}>
      <h3 className={styles.sub}>{say("profile.test.title")}</h3>
      <div className={styles.fields}>
        <TextInput
          label={say("profile.test.order")}
          description={say("profile.test.order.hint")}
          className={styles.wide ?? ""}
          value={example.order}
          error={problem || undefined}
          onChange={(event) => setExample({ ...example, order: event.currentTarget.value })}
        />
        <TextInput
          label={say("profile.test.channel")}
          value={example.channel}
          disabled={example.order.trim() !== ""}
          onChange={(event) => setExample({ ...example, channel: event.currentTarget.value })}
        />
        <Select
          label={say("profile.test.store")}
          data={stores}
          allowDeselect={false}
          disabled={example.order.trim() !== ""}
          value={example.store}
          onChange={(store) => setExample({ ...example, store: store ?? "" })}
        />
      </div>
      <div>
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate(undefined)}>
          {say("profile.test.button")}
        </Button>
      </div>
      {test.data && !problem && (
        <div className={styles.result} role="status">
          <b>{resultText(test.data, say)}</b>
          {test.data.isAssigned && <span className="muted small">{say("profile.test.assigned")}</span>}
          {test.data.isStoreLeftOut && <span className="muted small">{say("profile.test.left_out")}</span>}
        </div>
      )}
    </div>
  );
}

function draftOf({ name, stem, channel, store_id }: ProfileForm, profile: string | undefined) {
  return {
    ...(profile === undefined ? {} : { id: profile }),
    ...{ name, stem, channel: channel.trim() || null, store_id: store_id || null },
  };
}

type GoesTo =
  | { readonly match: "one"; readonly name: string; readonly stem: string; readonly isDraft: boolean }
  | { readonly match: "none" }
  | { readonly match: "several"; readonly names: readonly string[] }
  | { readonly match: "connection"; readonly stem: string };

function resultText({ goesTo }: { readonly goesTo: GoesTo }, say: Say): string {
  switch (goesTo.match) {
    case "one":
      return goesTo.isDraft
        ? say("profile.test.this")
        : say("profile.test.result", { result: say("profile.test.to", { name: `«${goesTo.name}»` }) });
    case "none":
      return say("profile.test.result", { result: say("profile.test.none") });
    case "several":
      return say("profile.test.several", { names: goesTo.names.map((name) => `«${name}»`).join(", ") });
    case "connection":
      return say("profile.test.connection", { stem: goesTo.stem });
  }
}
