import type { Role } from '@highline/contract';

/** One organization of one main account. */
export interface OrganizationScope {
  readonly kind: 'organization';
  readonly mainAccountId: string;
  readonly organizationId: string;
}

/** A main account with all of its organizations. */
export interface MainScope {
  readonly kind: 'main';
  readonly mainAccountId: string;
}

/**
 * The part of the database a call may access. Every query and every store call requires one, so no read can cross organizations
 * by omission.
 */
export type Scope = OrganizationScope | MainScope;

/** What a person of an organization is limited to: devices in one of the groups or with one of the tags (IAM-04). Empty: no device. */
export interface DeviceLimit {
  readonly accountId: string;
  readonly organizationId: string;
  /** Keys of groups. */
  readonly groups: readonly string[];
  readonly tags: readonly string[];
}

/** A role that a company made for its own people (IAM-03): of what an admin or the main account may do, its rights alone. */
export interface OwnRole {
  readonly id: string;
  readonly name: string;
  /** A part of the product with `read` or `write`, such as `devices.read`. */
  readonly rights: readonly string[];
}

/** The API key of a call (HKS-02). */
export interface ActorKey {
  readonly id: string;
  /** Its name and hint, as log entries show it. */
  readonly label: string;
  /** The organization that it is limited to; null = as its maker. */
  readonly organizationId: string | null;
  /** Ids of the calls that it may make. An actor that is stored for later has none: what the key may do is read again when it acts. */
  readonly operations?: readonly string[] | undefined;
}

/** Someone without whom an actor could not act: who approved what it does (IAM-07), or let it into the organization (IAM-05). */
export interface SecondPerson {
  readonly as: 'approval' | 'support' | 'guest';
  readonly email: string;
}

/** What lets an actor act in an organization that is not its own (IAM-05). */
export interface ActorVisit {
  readonly id: string;
  readonly kind: 'support' | 'guest';
  /** ISO 8601; null = until it is ended. */
  readonly until: string | null;
  /** The account is of this organization alone. */
  readonly atHome: boolean;
}

/** The calling user, from the session at the time of this call, or the maker of the API key of this call. */
export interface Actor {
  readonly accountId: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly mainAccountId: string;
  /** Null for the main account's own users. */
  readonly organizationId: string | null;
  /** Client address of the call (AUD: who, from where, what). */
  readonly address: string;
  /** Identifies the session, not its secret: SHA-256 of the bearer in hex. */
  readonly sessionId: string;
  /** Left out for those who see every device of their scope. */
  readonly limit?: DeviceLimit | undefined;
  /** Left out for who has the rights of `role`. An actor that is stored for later has none: it is read again when it acts. */
  readonly ownRole?: OwnRole | undefined;
  /** Left out where a person is signed in. */
  readonly key?: ActorKey | undefined;
  /** Left out for those who are at home. */
  readonly visit?: ActorVisit | undefined;
  /** Whom entries of the log name besides; left out where the actor needs no one. */
  readonly with?: readonly SecondPerson[] | undefined;
}

/** Checks whether an organization belongs to a main account; implemented by the organizations domain. */
export interface OrganizationFinder {
  /** @param deletedToo also accept a deleted one */
  ownsOrganization(scope: MainScope, organizationId: string, deletedToo: boolean): Promise<boolean>;
}
