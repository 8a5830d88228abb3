import { ActionIcon, Button, Menu, Modal } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconDotsVertical, IconUserPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { answer, api } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { Radio } from "../../parts/choices.tsx";
import { CopyIcon } from "../../parts/copy-text.tsx";
import { TextInput } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { Section } from "../../parts/page-head.tsx";
import styles from "../../parts/parts.module.css";
import { useRefusal } from "../../parts/refusal.ts";
import { problemsByField, useSave } from "../../parts/save.ts";
import { ErrorCard, Loading } from "../../parts/states.tsx";
import { useUnsaved } from "../../parts/unsaved.tsx";
import { date } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";

const peopleOf = api.accounts[":account"].people;
const peopleKey = (account: string) => ["people", account] as const;

function usePeople() {
  const { account } = useCompany();
  return useQuery({
    queryKey: peopleKey(account.id),
    queryFn: () => answer(peopleOf.$get({ param: { account: account.id } })),
  });
}

type People = NonNullable<ReturnType<typeof usePeople>["data"]>;
type Member = People["members"][number];
type Invitation = People["invitations"][number];

/** The members of the company, and its invitations. */
export function PeopleTab() {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  const people = usePeople();
  const [isInviting, setInviting] = useState(false);
  if (people.isPending) return <Loading />;
  if (people.isLoadingError) return <ErrorCard error={people.error} retry={() => void people.refetch()} />;
  const { members, invitations, most } = people.data;
  const count = members.length + invitations.length;
  return (
    <div className="stack">
      <OfferedOwnership />
      <div className="row">
        <p className="muted text-column">{say("people.lead", { legal_name: account.legalName })}</p>
        {!isReadOnly && (
          <Button
            className="end"
            variant="default"
            leftSection={<IconUserPlus size={18} aria-hidden />}
            onClick={() => setInviting(true)}
          >
            {say("people.invite")}
          </Button>
        )}
      </div>
      <Section title={say("people.title")} aside={<CountNote count={count} most={most} />} flush>
        <table className={styles.table}>
          <caption className="hidden">{say("people.title")}</caption>
          <thead>
            <tr>
              <th scope="col">{say("people.column.person")}</th>
              <th scope="col">{say("people.column.role")}</th>
              <th aria-hidden />
            </tr>
          </thead>
          <tbody>
            {members.map((member) => (
              <MemberRow key={member.userId} member={member} />
            ))}
            {invitations.map((invitation) => (
              <InvitationRow key={invitation.id} invitation={invitation} />
            ))}
          </tbody>
        </table>
      </Section>
      {isInviting && <InviteDialog close={() => setInviting(false)} />}
    </div>
  );
}

function CountNote({ count, most }: { readonly count: number; readonly most: number }) {
  const say = useWords();
  return <span className="muted">{say("people.count", { count: `${count}`, most: `${most}` })}</span>;
}

function MemberRow({ member }: { readonly member: Member }) {
  const say = useWords();
  const { me, account, isReadOnly } = useCompany();
  const [isRemoving, setRemoving] = useState(false);
  const other = member.role === "owner" ? "accountant" : "owner";
  const change = useSave({
    send: () =>
      answer(
        peopleOf[":person"].$put({
          param: { account: account.id, person: member.userId },
          json: { role: other },
        }),
      ),
    refresh: [peopleKey(account.id), ["me"]],
  });
  return (
    <tr>
      <td>
        {member.name}
        {member.userId === me.user.id && <span className="muted"> · {say("people.you")}</span>}
        <span className={styles.second}>{member.email}</span>
      </td>
      <td>
        {say(member.role === "owner" ? "role.owner" : "role.accountant")}
        {member.isOffered && <span className={styles.second}>{say("people.offered")}</span>}
      </td>
      <td className="num">
        {!isReadOnly && (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={say("people.menu", { name: member.name })}
              >
                <IconDotsVertical size={18} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => change.mutate(undefined)}>{say(`people.role.to.${other}`)}</Menu.Item>
              <Menu.Item onClick={() => setRemoving(true)}>{say("people.remove")}</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
        {isRemoving && <RemoveDialog member={member} close={() => setRemoving(false)} />}
      </td>
    </tr>
  );
}

/** On a phone the column is narrower than its words. */
const WRAPPED = { root: { height: "auto", minHeight: 30 }, label: { whiteSpace: "normal" } } as const;

function InvitationRow({ invitation }: { readonly invitation: Invitation }) {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  const withdraw = useSave({
    send: () =>
      answer(
        peopleOf.invitations[":invitation"].$delete({
          param: { account: account.id, invitation: invitation.id },
        }),
      ),
    refresh: [peopleKey(account.id)],
  });
  const until = date(new Date(invitation.expiresAt).toISOString(), account.timeZone);
  return (
    <tr>
      <td style={{ overflowWrap: "anywhere" }}>
        {invitation.email}
        <span className={styles.second}>{say("people.pending", { date: until })}</span>
      </td>
      <td>{say(invitation.role === "owner" ? "role.owner" : "role.accountant")}</td>
      <td className="num">
        {!isReadOnly && (
          <Button
            variant="subtle"
            size="xs"
            styles={WRAPPED}
            loading={withdraw.isPending}
            onClick={() => withdraw.mutate(undefined)}
          >
            {say("people.withdraw")}
          </Button>
        )}
      </td>
    </tr>
  );
}

const ROLES = ["accountant", "owner"] as const;

/** Creates a link, which is mailed and can also be copied. */
function InviteDialog({ close }: { readonly close: () => void }) {
  const say = useWords();
  const [sent, setSent] = useState<{ readonly url: string; readonly email: string }>();
  return (
    <FormDialog close={close} title={say("people.invite.title")}>
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
    </FormDialog>
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
  const refusal = useRefusal(form);
  const invite = useSave({
    send: ({ email, role }: typeof form.values) =>
      answer(
        peopleOf.invitations.$post({ param: { account: account.id }, json: { email: email.trim(), role } }),
      ),
    refresh: [peopleKey(account.id)],
    onSaved: ({ url }, { email }) => sent({ url, email: email.trim() }),
    onRefused: (error) => refusal.show(problemsByField(error, say)),
  });
  useUnsaved(form.isDirty() && !invite.isPending);
  return (
    <Form
      className="stack"
      refused={refusal.whole}
      onSubmit={form.onSubmit((values) => {
        refusal.clear();
        invite.mutate(values);
      })}
    >
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
            <Radio.One
              key={role}
              value={role}
              label={say(role === "owner" ? "role.owner" : "role.accountant")}
            />
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
    </Form>
  );
}

interface RemoveDialogProps {
  readonly member: { readonly userId: string; readonly name: string };
  readonly close: () => void;
}

function RemoveDialog({ member, close }: RemoveDialogProps) {
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

/** An offer of ownership to the signed-in person, who alone can take it. */
function OfferedOwnership() {
  const say = useWords();
  const { account } = useCompany();
  const param = { account: account.id };
  const refresh = [["me"], ["people", account.id]];
  const take = useSave({ send: () => answer(api.me.ownership[":account"].$post({ param })), refresh });
  const decline = useSave({ send: () => answer(api.me.ownership[":account"].$delete({ param })), refresh });
  if (!account.isOwnershipOffered) return null;
  return (
    <Section title={say("people.offer.title")}>
      <div className="stack">
        <p className="text-column">{say("people.offer.body", { legal_name: account.legalName })}</p>
        <div className="row">
          <Button loading={take.isPending} onClick={() => take.mutate(undefined)}>
            {say("people.offer.take")}
          </Button>
          <Button variant="default" loading={decline.isPending} onClick={() => decline.mutate(undefined)}>
            {say("people.offer.decline")}
          </Button>
        </div>
      </div>
    </Section>
  );
}
