import { Button } from "@mantine/core";
import { useState } from "react";
import { useNavigate } from "react-router";
import { answer } from "../../api/client.ts";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { useSave } from "../../parts/save.ts";
import { useWords } from "../../words/words.tsx";
import { ConfirmDialog } from "../settings/confirm-dialog.tsx";
import { draftsKey, ofAccount } from "./draft-queries.ts";
import type { DraftOnPage } from "./use-draft.ts";

/** Duplicates or discards the draft on the page. */
export function DraftActs({ draft, id }: { readonly draft: DraftOnPage; readonly id: string }) {
  const say = useWords();
  const { account } = useCompany();
  const go = useNavigate();
  const [isDiscarding, setDiscarding] = useState(false);
  const param = { account: account.id, draft: id };
  const refresh = [draftsKey(account.id)];
  const duplicate = useDuplicate();
  const discard = useSave({
    send: () =>
      answer(ofAccount.drafts[":draft"].$delete({ param, query: { version: String(draft.saved.version) } })),
    refresh,
    onSaved: () => void go(paths.drafts(account.id)),
  });
  const isWaiting = draft.isDirty || draft.isPending;
  return (
    <>
      <Button
        variant="default"
        disabled={isWaiting}
        loading={duplicate.isPending}
        onClick={() => duplicate.mutate(id)}
      >
        {say("hand.duplicate")}
      </Button>
      <Button variant="subtle" color="gray" disabled={isWaiting} onClick={() => setDiscarding(true)}>
        {say("hand.discard")}
      </Button>
      <ConfirmDialog
        title={say("hand.discard")}
        isOpen={isDiscarding}
        close={() => setDiscarding(false)}
        act={say("hand.discard")}
        isBusy={discard.isPending}
        confirm={() => discard.mutate(undefined)}
      >
        <p>{say("hand.discard.body")}</p>
      </ConfirmDialog>
    </>
  );
}

/** A copy of a draft, which is opened. */
export function useDuplicate() {
  const say = useWords();
  const { account } = useCompany();
  const go = useNavigate();
  const [key, setKey] = useState(() => crypto.randomUUID());
  return useSave({
    send: (draft: string) =>
      answer(
        ofAccount.drafts[":draft"].duplicate.$post({
          param: { account: account.id, draft },
          json: { idempotency_key: key },
        }),
      ),
    refresh: [draftsKey(account.id)],
    said: say("hand.duplicated"),
    onSaved: ({ id }) => {
      setKey(crypto.randomUUID());
      void go(paths.newInvoice(account.id, id));
    },
  });
}
