import { Button, Modal, Radio, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { answer } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { CopyIcon } from "../../parts/copy-text.tsx";
import { problemsByField, tellFailure, useSave } from "../../parts/save.ts";
import { useWords } from "../../words/words.tsx";
import { peopleKey, peopleOf } from "./people-tab.tsx";

const ROLES = ["accountant", "owner"] as const;

/** Creates a link, which is mailed and can also be copied. */
export function InviteDialog({ close }: { readonly close: () => void }) {
  const say = useWords();
  const [sent, setSent] = useState<{ readonly url: string; readonly email: string }>();
  const dialog = { opened: true, onClose: close, closeButtonProps: { "aria-label": say("close") } };
  return (
    <Modal {...dialog} title={say("people.invite.title")}>
      {sent ? (
        <div className="stack">
          <p role="status">{say("people.invite.sent", { email: sent.email })}</p>
          <p className="muted">{say("people.invite.link")}</p>
          <p className="row">
            <code className="code">{sent.url}</code>
            <CopyIcon text={sent.url} what={say("people.invite.link")} />
          </p>
          <Button onClick={close}>{say("close")}</Button>
        </div>
      ) : (
        <InviteForm sent={setSent} close={close} />
      )}
    </Modal>
  );
}

interface InviteFormProps {
  readonly sent: (invitation: { readonly url: string; readonly email: string }) => void;
  readonly close: () => void;
}

function InviteForm({ sent, close }: InviteFormProps) {
  const say = useWords();
  const { account } = useCompany();
  const form = useForm({
    initialValues: { email: "", role: "accountant" as (typeof ROLES)[number] },
    validate: { email: (value) => (/^\S+@\S+\.\S+$/.test(value.trim()) ? null : say("signup.email_bad")) },
    validateInputOnBlur: true,
  });
  const invite = useSave({
    send: ({ email, role }: typeof form.values) =>
      answer(
        peopleOf.invitations.$post({ param: { account: account.id }, json: { email: email.trim(), role } }),
      ),
    refresh: [peopleKey(account.id)],
    onSaved: ({ url }, { email }) => sent({ url, email: email.trim() }),
    onRefused: (error) => {
      const { "": whole, ...fields } = problemsByField(error, say);
      form.setErrors(fields);
      if (whole) tellFailure(error, say);
    },
  });
  return (
    <form noValidate className="stack" onSubmit={form.onSubmit((values) => invite.mutate(values))}>
      <TextInput
        label={say("people.invite.email")}
        type="email"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps("email")}
      />
      <Radio.Group label={say("people.invite.role")} {...form.getInputProps("role")}>
        <div className="stack">
          {ROLES.map((role) => (
            <Radio key={role} value={role} label={say(role === "owner" ? "role.owner" : "role.accountant")} />
          ))}
        </div>
      </Radio.Group>
      <div className="row">
        <Button variant="subtle" color="gray" onClick={close}>
          {say("cancel")}
        </Button>
        <Button className="end" type="submit" loading={invite.isPending}>
          {say("people.invite.button")}
        </Button>
      </div>
    </form>
  );
}
