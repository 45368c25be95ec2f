import type { OrganizationScope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { endSystemAlert, openMailedAlert } from './system-alerts.job.queries.ts';

/**
 * The alert that passwords of routers are no longer replaced automatically (LIV-11), with a mail to the admins.
 * @param origin scheme, name and port of links in mails
 */
export function createRotationAlerts(origin: () => string) {
  const alertOf = ({ organizationId, mainAccountId }: OrganizationScope) =>
    // Stopped backups are about the organization as well.
    ({ kind: 'rotation-stopped', about: organizationId, part: mainAccountId }) as const;
  return {
    /** @param name who saved the settings @returns false = it is open already */
    open: (tx: Tx, scope: OrganizationScope, name: string, now: Date): Promise<boolean> =>
      openMailedAlert(tx, scope, { ...alertOf(scope), name, since: now, page: '/commands/passwords' }, origin(), now),
    /** It goes on, or is switched off. */
    end: (tx: Tx, scope: OrganizationScope, now: Date): Promise<void> => endSystemAlert(tx, scope, alertOf(scope), now),
  };
}
