// Reads tables of other domains: accounts.
import type { alerts, Language } from '@highline/contract';
import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { StoredPerson } from './alert-people.store.ts';
import { isWithin } from './hours.ts';

/** Whom a message goes to. */
export interface Recipients {
  readonly mails: readonly string[];
  /** Addresses of people whose browsers get it. */
  readonly push: readonly string[];
  /** Those that belong to users of the organization, who may change what they get themselves. */
  readonly users: ReadonlySet<string>;
  /** Language and zone that addresses have chosen for alerts. */
  readonly locales: ReadonlyMap<string, { readonly language: Language; readonly zone: string }>;
}

/**
 * Whom a message about alerts goes to: the addresses that its rule names, and people who get alerts of this severity at this time, each once
 * (SAY-05).
 * @param severity undefined = only those that are named
 */
export async function findRecipients(
  tx: Tx,
  { organizationId }: OrganizationScope,
  named: readonly string[],
  severity: alerts.Severity | undefined,
  now: Date,
): Promise<Recipients> {
  const { rows } = await sql<
    StoredPerson & { readonly is_user: boolean }
  >`select mail, severities, hours, channels, language, zone,
      exists (select from accounts a where a.organization_id = p.organization_id and a.email = p.mail and a.roles <> '{}') as is_user
    from alert_people p where organization_id = ${organizationId}::uuid
      and (${severity ?? ''} = any (severities) or mail = any (${[...named]}::text[])) order by mail`.execute(tx);
  const people = rows.filter(
    ({ severities, hours }) => severities.some((each) => each === severity) && (hours === null || isWithin(hours, now)),
  );
  const of = (channel: StoredPerson['channels'][number]) =>
    people.filter(({ channels }) => channels.includes(channel)).map(({ mail }) => mail);
  return {
    mails: [...new Set([...named, ...of('mail')])],
    push: of('push'),
    users: new Set(rows.filter(({ is_user: isUser }) => isUser).map(({ mail }) => mail)),
    locales: new Map(rows.map(({ mail, language, zone }) => [mail, { language, zone }])),
  };
}
