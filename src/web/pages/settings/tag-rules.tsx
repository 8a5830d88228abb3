import { Button } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { answer } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { Select, TextInput } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { Section } from "../../parts/page-head.tsx";
import { problemsByField, useSave } from "../../parts/save.ts";
import { useUnsaved } from "../../parts/unsaved.tsx";
import { useWords } from "../../words/words.tsx";
import { ofConnection } from "../setup/setup.ts";
import { type Selling, sellingKey } from "./queries.ts";
import styles from "./settings.module.css";

const ACTIONS = ["hold", "ignore"] as const;

/** The rules of all connections. A rule holds the orders with its tag, or leaves them without an invoice. */
export function TagRules({ selling }: { readonly selling: readonly Selling[] }) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  const [isAdding, setAdding] = useState(false);
  const title = useRef<HTMLDivElement>(null);
  // The form and the deleted row take the pressed button with them: the focus goes to the text above.
  const focus = () => title.current?.focus();
  const close = () => {
    setAdding(false);
    focus();
  };
  const rules = selling.flatMap(({ connection, tagRules }) =>
    tagRules.map((rule) => ({ ...rule, connection })),
  );
  if (selling.length === 0 || (isReadOnly && rules.length === 0)) return null;
  return (
    <Section title={say("tags.title")} flush>
      <div ref={title} tabIndex={-1} className={`${styles.pad} muted`}>
        {say("tags.lead")}
      </div>
      {rules.length > 0 && (
        <ul className={styles.rows}>
          {rules.map((rule) => (
            <TagRule key={`${rule.connection.id} ${rule.tag}`} {...rule} onRemoved={focus} />
          ))}
        </ul>
      )}
      {!isReadOnly && (
        <div className={isAdding ? styles.hook : styles.foot}>
          {isAdding ? (
            <AddTagRule selling={selling} close={close} />
          ) : (
            <Button variant="default" onClick={() => setAdding(true)}>
              {say("tags.add")}
            </Button>
          )}
        </div>
      )}
    </Section>
  );
}

type TagRuleProps = Selling["tagRules"][number] & {
  readonly connection: Selling["connection"];
  readonly onRemoved: () => void;
};

function TagRule({ connection, tag, action, onRemoved }: TagRuleProps) {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  const place = { account: account.id, connection: connection.id };
  const remove = useSave({
    send: () => answer(ofConnection.tags.$delete({ param: place, query: { tag } })),
    refresh: [sellingKey(account.id)],
    onSaved: onRemoved,
  });
  return (
    <li>
      <div className={styles.grow}>
        {say("tags.rule", { tag, action: say(`tags.${action}`) })}{" "}
        <span className="muted small">{connection.name}</span>
      </div>
      {!isReadOnly && (
        <Button
          variant="default"
          size="xs"
          aria-label={`${say("delete")}: ${tag}, ${connection.name}`}
          loading={remove.isPending}
          onClick={() => remove.mutate(undefined)}
        >
          {say("delete")}
        </Button>
      )}
    </li>
  );
}

interface AddTagRuleProps {
  readonly selling: readonly Selling[];
  readonly close: () => void;
}

function AddTagRule({ selling, close }: AddTagRuleProps) {
  const say = useWords();
  const { account } = useCompany();
  const [connection, setConnection] = useState(selling[0]?.connection.id ?? "");
  const [tag, setTag] = useState("");
  const [action, setAction] = useState<(typeof ACTIONS)[number]>("hold");
  const [problem, setProblem] = useState("");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const add = useSave({
    send: () =>
      answer(ofConnection.tags.$put({ param: { account: account.id, connection }, json: { tag, action } })),
    refresh: [sellingKey(account.id)],
    onSaved: close,
    onRefused: (error) => setProblem(Object.values(problemsByField(error, say))[0] ?? ""),
  });
  useUnsaved(tag !== "" && !add.isPending);
  return (
    <Form
      className={styles.tagForm}
      onSubmit={() => {
        if (tag.trim()) add.mutate(undefined);
        else setProblem(say("form.required", { field: say("tags.tag.the") }));
      }}
    >
      {selling.length > 1 && (
        <Select
          label={say("tags.connection")}
          allowDeselect={false}
          data={selling.map(({ connection: { id, name } }) => ({ value: id, label: name }))}
          value={connection}
          onChange={(value) => setConnection(value ?? connection)}
        />
      )}
      <TextInput
        ref={field}
        label={say("tags.tag")}
        value={tag}
        error={problem || undefined}
        onChange={(event) => {
          setTag(event.currentTarget.value);
          setProblem("");
        }}
      />
      <Select
        label={say("tags.action")}
        allowDeselect={false}
        data={ACTIONS.map((value) => ({ value, label: say(`tags.${value}`) }))}
        value={action}
        onChange={(value) => setAction(value === "ignore" ? "ignore" : "hold")}
      />
      <div className="row">
        <Button type="submit" variant="default" loading={add.isPending}>
          {say("tags.add")}
        </Button>
        <Button variant="subtle" onClick={close}>
          {say("cancel")}
        </Button>
      </div>
    </Form>
  );
}
