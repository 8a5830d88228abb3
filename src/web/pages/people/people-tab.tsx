import { ActionIcon, Button, Menu } from "@mantine/core";
import { IconDotsVertical, IconUserPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { answer, api } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { ErrorCard } from "../../parts/error-card.tsx";
import { Loading } from "../../parts/loading.tsx";
import styles from "../../parts/parts.module.css";
import { useSave } from "../../parts/save.ts";
import { Section } from "../../parts/section.tsx";
import { date } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { OfferedOwnership } from "./offered-ownership.tsx";
import { RemoveDialog } from "./remove-dialog.tsx";

export const peopleOf = api.accounts[":account"].people;
export const peopleKey = (account: string) => ["people", account] as const;

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
