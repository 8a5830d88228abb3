import { Button, Radio, TextInput } from "@mantine/core";
import { useState } from "react";
import { useCompany } from "../../app/session.tsx";
import { Section } from "../../parts/page-head.tsx";
import { problemsByField, useSave } from "../../parts/save.ts";
import { useWords } from "../../words/words.tsx";
import { useConnectionPlace } from "../setup/setup.ts";
import { type ErasableFound, type ErasedOf, Found, type Sought, searchErasable } from "./erasure-found.tsx";
import styles from "./settings.module.css";

/** Erases a person's data at their request, except those that the law keeps. */
export function ErasureTab() {
  const say = useWords();
  const { isReadOnly } = useCompany();
  const place = useConnectionPlace();
  const [of, setOf] = useState<ErasedOf>("order");
  const [id, setId] = useState("");
  const [problem, setProblem] = useState("");
  const [found, setFound] = useState<{ readonly sought: Sought; readonly data: ErasableFound }>();
  const search = useSave({
    send: (sought: Sought) => searchErasable(place, sought),
    onSaved: (data, sought) => setFound({ sought, data }),
    onRefused: (error) => setProblem(Object.values(problemsByField(error, say))[0] ?? ""),
  });
  function forget() {
    setFound(undefined);
    setProblem("");
  }
  function submit() {
    forget();
    if (id === "") setProblem(say("form.required", { field: say(`erasure.id.${of}`).toLowerCase() }));
    else search.mutate({ of, id });
  }
  return (
    <>
      <Section title={say("erasure.title")}>
        <form
          className="stack"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <p className="muted text-column">{say("erasure.lead")}</p>
          <Radio.Group
            label={say("erasure.of")}
            value={of}
            onChange={(value) => {
              setOf(value === "client" ? "client" : "order");
              forget();
            }}
          >
            <div className="stack">
              <Radio value="order" label={say("erasure.of.order")} />
              <Radio value="client" label={say("erasure.of.client")} />
            </div>
          </Radio.Group>
          <div className={styles.askFor}>
            <TextInput
              label={say(`erasure.id.${of}`)}
              description={problem ? undefined : say("erasure.id.hint")}
              inputWrapperOrder={["label", "input", "error", "description"]}
              autoComplete="off"
              value={id}
              error={problem || undefined}
              onChange={(event) => setId(event.currentTarget.value)}
            />
            <Button type="submit" variant="default" loading={search.isPending}>
              {say("erasure.look")}
            </Button>
          </div>
        </form>
      </Section>
      {found && (
        <Found
          key={`${found.sought.of} ${found.sought.id}`}
          sought={found.sought}
          found={found.data}
          isReadOnly={isReadOnly}
          again={() => search.mutate(found.sought)}
          forget={forget}
        />
      )}
    </>
  );
}
