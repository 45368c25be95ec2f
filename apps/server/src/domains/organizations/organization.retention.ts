import { sql } from 'kysely';
import { forEachOrganization } from '../../kernel/for-each-organization.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';
import type { Job } from '../../platform/jobs/runner.ts';
import type { Database } from '../../platform/ports/database.ts';
import { deleteHistory, historyBegins } from '../router-state/index.ts';
import type { Row } from '../../platform/ports/tables.ts';

/** An organization that keeps less than the installation does. */
interface ShortRetention {
  readonly scope: OrganizationScope;
  readonly days: number;
  /** Up to where its history was deleted; undefined before the first deletion. */
  readonly deletedUntil: Date | undefined;
}

/**
 * Deletes what organizations with a shorter retention than the installation no longer keep, by whole days of UTC as the
 * installation's own retention: once a day, and when fewer days are set. An interrupted run begins again.
 * @param installationDays those of the installation, which drops whole partitions (setting TELEMETRY_DAYS)
 */
export function organizationRetentionJob(database: Database, installationDays: number): Job {
  return {
    name: 'retention of organizations',
    everyMs: 3_600_000,
    async run(now) {
      const short = await listShortRetention(database, installationDays);
      const idOf = ({ scope }: ShortRetention) => scope.organizationId;
      await forEachOrganization(short, idOf, async ({ scope, days, deletedUntil }) => {
        const until = historyBegins(now, days);
        if (deletedUntil !== undefined && deletedUntil >= until) return;
        await deleteHistory(database, scope, until);
        await writeProgress(database, scope, until);
      });
    },
  };
}

/** Of every main account. A deleted organization has history until it is purged. */
async function listShortRetention(database: Database, installationDays: number): Promise<ShortRetention[]> {
  const { rows } = await sql<Row<'organizations', 'id'> & { main: string; days: number; until: Date | null }>`
    select o.id, o.main_account_id as main, o.retention_days as days, p.deleted_until as until
    from organizations o left join organization_retention p on p.organization_id = o.id
    where o.retention_days is not null and o.retention_days < ${installationDays}::int and o.purged_at is null
    order by o.id`.execute(database.read);
  return rows.map(({ id, main, days, until }) => ({
    scope: { kind: 'organization', mainAccountId: main, organizationId: id },
    days,
    deletedUntil: until ?? undefined,
  }));
}

async function writeProgress(database: Database, { organizationId }: OrganizationScope, until: Date): Promise<void> {
  await database.write((tx) =>
    tx
      .insertInto('organization_retention')
      .values({ organization_id: organizationId, deleted_until: until })
      .onConflict((conflict) => conflict.column('organization_id').doUpdateSet({ deleted_until: until }))
      .execute(),
  );
}
