import type { Instant } from "../../domain/shared/instant.ts";

export const ROLES = ["owner", "accountant"] as const;
/** An accountant reads everything and changes nothing. */
export type Role = (typeof ROLES)[number];

export interface Membership {
  readonly accountId: string;
  readonly ledger: string;
  readonly nif: string;
  readonly role: Role;
}

export interface Member {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
}

export interface NewInvitation {
  readonly id: string;
  readonly accountId: string;
  readonly tokenSha256: string;
  readonly email: string;
  readonly role: Role;
  readonly invitedBy: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

export type OpenInvitation = Omit<NewInvitation, "tokenSha256">;

/** What a link leads to, whatever became of it. */
export interface FoundInvitation {
  readonly id: string;
  readonly accountId: string;
  readonly isOpen: boolean;
  readonly acceptedBy?: string;
}

/** How many an account may send. */
export interface InvitationLimit {
  readonly most: number;
  readonly since: Instant;
}

/** Whose an account is, and who was invited to it. */
export interface MemberStore {
  /** Undefined for who is no member, and for an account that does not exist. */
  membershipOf(userId: string, accountId: string): Promise<Membership | undefined>;
  membershipsOf(userId: string): Promise<readonly Membership[]>;
  membersOf(accountId: string): Promise<readonly Member[]>;
  /** Names by the ids of users; who is known no more has none. */
  namesOf(userIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** In place of an open one to the same address; false where there were too many. */
  invite(invitation: NewInvitation, limit: InvitationLimit): Promise<boolean>;
  /** Neither accepted, nor taken back, nor expired. */
  invitationsOf(accountId: string, now: Instant): Promise<readonly OpenInvitation[]>;
  invitationBy(tokenSha256: string, now: Instant): Promise<FoundInvitation | undefined>;
  /** One person, once; false when it has ended meanwhile. */
  acceptInvitation(id: string, userId: string, now: Instant): Promise<boolean>;
  /** False where there is no open one. */
  withdrawInvitation(accountId: string, id: string, now: Instant): Promise<boolean>;
  /** False where no owner would be left. Who is an owner no more has invited nobody. */
  changeRole(accountId: string, userId: string, role: Role, now: Instant): Promise<boolean>;
  removeMember(accountId: string, userId: string, now: Instant): Promise<boolean>;
}
