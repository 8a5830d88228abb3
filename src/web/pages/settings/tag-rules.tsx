import { Button, Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { answer } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { problemsByField, useSave } from "../../parts/save.ts";
import { useWords } from "../../words/words.tsx";
import { ofConnection } from "../setup/setup.ts";
import { type Selling, sellingKey } from "./queries.ts";
import styles from "./settings.module.css";

const ACTIONS = ["hold", "ignore"] as const;

/** The effects of order tags. */
export function TagRules({ selling }: { readonly selling: Selling }) {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  const place = { account: account.id, connection: selling.connection.id };
  const remove = useSave({
    send: (tag: string) => answer(ofConnection.tags.$delete({ param: place, query: { tag } })),
    refresh: [sellingKey(account.id)],
  });
  const [isAdding, setAdding] = useState(false);
  const { tagRules } = selling;
  if (isReadOnly && tagRules.length === 0) return null;
  return (
    <div className={styles.hook}>
      <h3>{say("tags.title")}</h3>
      {tagRules.map(({ tag, action }) => (
        <div key={tag} className="row">
          <span className={styles.grow}>{say("tags.rule", { tag, action: say(`tags.${action}`) })}</span>
          {!isReadOnly && (
            <Button
              variant="subtle"
              size="xs"
              aria-label={`${say("delete")}: ${tag}`}
              onClick={() => remove.mutate(tag)}
            >
              {say("delete")}
            </Button>
          )}
        </div>
      ))}
      {!isReadOnly &&
        (isAdding ? (
          <AddTagRule connection={selling.connection.id} close={() => setAdding(false)} />
        ) : (
          <div>
            <Button variant="default" size="xs" onClick={() => setAdding(true)}>
              {say("tags.add")}
            </Button>
          </div>
        ))}
    </div>
  );
}

interface AddTagRuleProps {
  readonly connection: string;
  readonly close: () => void;
}

function AddTagRule({ connection, close }: AddTagRuleProps) {
  const say = useWords();
  const { account } = useCompany();
  const [tag, setTag] = useState("");
  const [action, setAction] = useState<(typeof ACTIONS)[number]>("hold");
  const [problem, setProblem] = useState("");
  const add = useSave({
    send: () =>
      answer(ofConnection.tags.$put({ param: { account: account.id, connection }, json: { tag, action } })),
    refresh: [sellingKey(account.id)],
    onSaved: close,
    onRefused: (error) => setProblem(Object.values(problemsByField(error, say))[0] ?? ""),
  });
  return (
    <form
      className={styles.tagForm}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (tag.trim()) add.mutate(undefined);
        else setProblem(say("form.required", { field: say("tags.tag.the") }));
      }}
    >
      <TextInput
        label={say("tags.tag")}
        value={tag}
        error={problem || undefined}
        onChange={(event) => setTag(event.currentTarget.value)}
      />
      <Select
        label={say("tags.action")}
        allowDeselect={false}
        data={ACTIONS.map((value) => ({ value, label: say(`tags.${value}`) }))}
        value={action}
        onChange={(value) => setAction(value === "ignore" ? "ignore" : "hold")}
      />
      <Button type="submit" variant="default" loading={add.isPending}>
        {say("tags.add")}
      </Button>
    </form>
  );
}
