import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { answer } from "../../api/client.ts";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { showFailure, useSave } from "../../parts/save.ts";
import { money } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import { afterChange } from "../invoices/invoice-queries.ts";
import { ConfirmDialog } from "../settings/confirm-dialog.tsx";
import { draftsKey, ofAccount, type Previewed } from "./draft-queries.ts";

interface IssueDialogProps {
  readonly draft: string;
  readonly version: number;
  readonly shown: NonNullable<Previewed["preview"]>;
  readonly close: () => void;
}

/** The one step that cannot be undone: it names number and total, and issues only these. */
export function IssueDialog({ draft, version, shown, close }: IssueDialogProps) {
  const say = useWords();
  const { account } = useCompany();
  const client = useQueryClient();
  const go = useNavigate();
  const [key] = useState(() => crypto.randomUUID());
  const { fullNumber: number, total, currency } = shown;
  const issue = useSave({
    send: () =>
      answer(
        ofAccount.drafts[":draft"].issue.$post({
          param: { account: account.id, draft },
          json: { idempotency_key: key, expects: { version, number, total } },
        }),
      ),
    refresh: [...afterChange(account.id), draftsKey(account.id)],
    onSaved: ({ id }) => void go(paths.invoice(account.id, id)),
    onRefused: (error) => {
      close();
      showFailure(error, say);
      void client.invalidateQueries({ queryKey: ["draft-preview", account.id, draft] });
    },
  });
  return (
    <ConfirmDialog
      title={say("hand.issue")}
      isOpen
      close={close}
      act={say("hand.issue")}
      isBusy={issue.isPending}
      isHarmless
      confirm={() => issue.mutate(undefined)}
    >
      <p>{say("hand.confirm", { number, total: money(total, currency) })}</p>
    </ConfirmDialog>
  );
}
