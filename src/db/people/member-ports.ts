import type { Verification } from "../../domain/connection/verification.ts";
import type { QuotaRefusal } from "../../domain/quota.ts";
import type { Instant } from "../../domain/shared/instant.ts";

export const ROLES = ["owner", "accountant"] as const;
/** An accountant reads everything and changes nothing. */
export type Role = (typeof ROLES)[number];

export interface Membership {
  readonly accountId: string;
  readonly ledger: string;
  readonly nif: string;
  readonly role: Role;
  readonly verification: Verification;
  /** The owner who offers ownership to this person. */
  readonly offeredBy?: string;
}

export interface Member {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  /** Ownership is offered, and not taken yet. */
  readonly isOffered: boolean;
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

/** The invitation of a link, in any state. */
export interface FoundInvitation {
  readonly id: string;
  readonly accountId: string;
  readonly isOpen: boolean;
  /** The invited address. */
  readonly email: string;
  readonly acceptedBy?: string;
}

/** The members of an account, and its invitations. */
export interface MemberStore {
  /** Undefined without membership, and for an unknown account. */
  membershipOf(userId: string, accountId: string): Promise<Membership | undefined>;
  membershipsOf(userId: string): Promise<readonly Membership[]>;
  membersOf(accountId: string): Promise<readonly Member[]>;
  /** Names by user ids; deleted users have none. */
  namesOf(userIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** In place of an open one to the same address. Counted and kept in one statement. */
  invite(invitation: NewInvitation): Promise<QuotaRefusal | undefined>;
  /** Neither accepted, nor taken back, nor expired. */
  invitationsOf(accountId: string, now: Instant): Promise<readonly OpenInvitation[]>;
  invitationBy(tokenSha256: string, now: Instant): Promise<FoundInvitation | undefined>;
  /**
   * Accepts it once, for the person with its address, if the same statement finds room in the company.
   * An invited owner joins as an accountant with an offer of ownership.
   */
  acceptInvitation(id: string, userId: string, now: Instant): Promise<"joined" | "ended" | "full">;
  /** False where there is no open one. */
  withdrawInvitation(accountId: string, id: string, now: Instant): Promise<boolean>;
  /** False if no owner would remain. A former owner's invitations and offers end. */
  makeAccountant(accountId: string, userId: string, now: Instant): Promise<boolean>;
  /** No effect if the person is an owner already. */
  offerOwnership(accountId: string, userId: string, offeredBy: string): Promise<void>;
  /** Takes an offer; false if the offering person is no longer an owner, or the company is contested. */
  takeOwnership(accountId: string, userId: string): Promise<boolean>;
  /** Undefined for a deleted login. */
  emailOf(userId: string): Promise<string | undefined>;
  declineOwnership(accountId: string, userId: string): Promise<void>;
  removeMember(accountId: string, userId: string, now: Instant): Promise<boolean>;
}
