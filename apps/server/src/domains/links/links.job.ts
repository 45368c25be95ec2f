import { forEachOrganization } from '../../kernel/for-each-organization.ts';
import type { Job } from '../../platform/jobs/runner.ts';
import type { Database } from '../../platform/ports/database.ts';
import { listExpired, purgeLinks, takeUnlooked } from './links.job.queries.ts';
import { endByItself } from './links.store.ts';
import type { OpenLinks } from './open-links.ts';
import { scopeOf, type FoundLink } from './shown.queries.ts';

export interface LinkJobDeps {
  readonly database: Database;
  readonly openLinks: Pick<OpenLinks, 'findEnd' | 'flush'>;
}

/** Links that end, or are looked at, in one pass. */
const BATCH = 200;
/** How often a link that is not opened is looked at. */
const LOOK_MS = 300_000;

/** The jobs of links: those that are opened end as they are read, the others here (RPM-06). */
export function createLinkJobs(deps: LinkJobDeps): Job[] {
  return [
    { name: 'links', everyMs: 15_000, run: (now) => endLinks(deps, now) },
    { name: 'links: retention', everyMs: 3_600_000, run: (now) => purgeLinks(deps.database, now) },
  ];
}

const idOf = (link: FoundLink) => scopeOf(link).organizationId;

async function endLinks({ database, openLinks }: LinkJobDeps, now: Date): Promise<void> {
  await openLinks.flush();
  try {
    await forEachOrganization(await listExpired(database, now, BATCH), idOf, (link) =>
      database.write((tx) => endByItself(tx, scopeOf(link), link.id, 'expired', now)),
    );
  } finally {
    const before = new Date(now.getTime() - LOOK_MS);
    await forEachOrganization(await database.write((tx) => takeUnlooked(tx, before, now, BATCH)), idOf, async (link) => {
      const end = await openLinks.findEnd(link);
      if (end !== undefined) await database.write((tx) => endByItself(tx, scopeOf(link), link.id, end, now));
    });
  }
}
