import { Button, Modal, TextInput } from "@mantine/core";
import { useState } from "react";
import { answer } from "../../api/client.ts";
import { NewerNotice, useNewer } from "../../parts/newer.tsx";
import { problemsByField, useSave } from "../../parts/save.ts";
import { useWords } from "../../words/words.tsx";
import { ofConnection, useConnectionPlace } from "../setup/setup.ts";
import { type Connection, connectionsKey, sellingKey } from "./queries.ts";

interface RenameDialogProps {
  readonly connection: Connection;
  readonly close: () => void;
}

/** The name of the connection in the console: no invoice depends on it. */
export function RenameDialog({ connection, close }: RenameDialogProps) {
  const say = useWords();
  const place = useConnectionPlace();
  const [typed, setTyped] = useState(connection.name);
  const [problem, setProblem] = useState("");
  const newer = useNewer({
    read: { version: connection.versions.name, values: { name: connection.name } },
    typed: { name: typed },
    take: (values) => setTyped(values.name),
    readAgain: connectionsKey(place.account),
  });
  const save = useSave({
    send: () =>
      newer.send((version) =>
        answer(ofConnection.name.$put({ param: place, json: { name: typed, version } })),
      ),
    refresh: [connectionsKey(place.account), sellingKey(place.account), ["setup"]],
    onSaved: close,
    onRefused: (error) =>
      setProblem(newer.isRefusedBy(error) ? "" : (Object.values(problemsByField(error, say))[0] ?? "")),
  });
  const { before } = newer;
  const changes = before
    ? [{ what: say("step1.name"), before: before.name, after: newer.base.values.name }]
    : [];
  return (
    <Modal
      opened
      onClose={close}
      title={say("conn.rename")}
      closeButtonProps={{ "aria-label": say("close") }}
    >
      <form
        noValidate
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (typed.trim()) save.mutate(undefined);
          else setProblem(say("form.required", { field: say("step1.name.the") }));
        }}
      >
        <NewerNotice newer={newer} changes={changes} />
        <TextInput
          label={say("step1.name")}
          description={problem ? undefined : say("step1.name.hint")}
          inputWrapperOrder={["label", "input", "error", "description"]}
          maxLength={80}
          value={typed}
          error={problem || undefined}
          data-autofocus
          onChange={(event) => {
            setProblem("");
            setTyped(event.currentTarget.value);
          }}
        />
        <div className="row">
          <Button variant="subtle" color="gray" onClick={close}>
            {say("cancel")}
          </Button>
          <Button type="submit" className="end" loading={save.isPending}>
            {say("save")}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
