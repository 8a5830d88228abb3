import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { useNavigate } from "react-router";
import { answer } from "../../api/client.ts";
import { paths } from "../../app/paths.ts";
import { useSave } from "../../parts/save.ts";
import { useWords } from "../../words/words.tsx";
import { ofConnection, useConnectionPlace } from "../setup/setup.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { connectionsKey, sellingKey } from "./queries.ts";

/** Its orders would be held from then on: it is asked for by name. */
export function RemoveProfile({ id, name }: { readonly id: string; readonly name: string }) {
  const say = useWords();
  const place = useConnectionPlace();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState("");
  const remove = useSave({
    send: () => answer(ofConnection.profiles[":profile"].$delete({ param: { ...place, profile: id } })),
    refresh: [connectionsKey(place.account), sellingKey(place.account)],
    onSaved: () => void navigate(paths.profiles(place.account)),
  });
  const press = () =>
    typed.trim() === name ? remove.mutate(undefined) : setProblem(say("profile.remove.mismatch", { name }));
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {say("profile.remove")}
      </Button>
      <ConfirmDialog
        title={say("profile.remove")}
        isOpen={isAsking}
        close={() => setAsking(false)}
        act={say("profile.remove")}
        isBusy={remove.isPending}
        confirm={press}
      >
        <p>{say("profile.remove.body", { name })}</p>
        <TextInput
          label={say("profile.remove.type")}
          description={name}
          value={typed}
          error={problem || undefined}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </ConfirmDialog>
    </>
  );
}
