import { routerBackups } from '@highline/contract';
import type { Actor } from '../../kernel/scope.ts';

declare module '../../platform/ports/column-types.ts' {
  interface ColumnTypes {
    'router_backup_settings.author': Actor;
  }
}

/** Of an organization that has set none. */
export const usualBackupSettings: Omit<routerBackups.StoredBackupSettings, 'version'> = {
  nightly: false,
  hour: 2,
  zone: 'UTC',
  versions: routerBackups.KEPT_VERSIONS.usual,
  days: routerBackups.KEPT_DAYS.usual,
  by: '',
  stopped: null,
};
