import type { Module } from '../../platform/modules/module.ts';
import { sealedFor } from '../../platform/modules/sealed-column.ts';
import { createBackupSealing } from './backup-sealing.ts';
import { registerBackupRoutes, type BackupRoutesDeps } from './backups.routes.ts';
import { backupJobs, type NightlyDeps } from './nightly.job.ts';

export const routerBackupsModule: Module<BackupRoutesDeps & NightlyDeps> = {
  open(routes, deps) {
    registerBackupRoutes(routes, deps);
    return { jobs: backupJobs(deps) };
  },
  sealed: [sealedFor('router_backups', 'sealed', { organization_id: 'uuid', id: 'uuid' }, 'id', createBackupSealing)],
  organizationEnd: { tables: ['router_backup_transfers', 'router_backups', 'router_backup_states', 'router_backup_settings'] },
};
