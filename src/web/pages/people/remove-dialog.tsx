import { Button, Modal } from "@mantine/core";
import { answer } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { useSave } from "../../parts/save.ts";
import { useWords } from "../../words/words.tsx";
import { peopleKey, peopleOf } from "./people-tab.tsx";

interface RemoveDialogProps {
  readonly member: { readonly userId: string; readonly name: string };
  readonly close: () => void;
}

export function RemoveDialog({ member, close }: RemoveDialogProps) {
  const say = useWords();
  const { account } = useCompany();
  const remove = useSave({
    send: () =>
      answer(peopleOf[":person"].$delete({ param: { account: account.id, person: member.userId } })),
    refresh: [peopleKey(account.id), ["me"]],
    onSaved: close,
  });
  return (
    <Modal
      opened
      onClose={close}
      title={say("people.remove")}
      closeButtonProps={{ "aria-label": say("close") }}
    >
      <div className="stack" style={{ textAlign: "left" }}>
        <p>{say("people.remove.body", { name: member.name, legal_name: account.legalName })}</p>
        <div className="row">
          <Button variant="subtle" color="gray" onClick={close}>
            {say("cancel")}
          </Button>
          <Button
            className="end"
            color="red"
            loading={remove.isPending}
            onClick={() => remove.mutate(undefined)}
          >
            {say("people.remove")}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
