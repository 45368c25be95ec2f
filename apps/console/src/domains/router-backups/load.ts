import { withMessages } from '../../i18n/i18n.ts';

/** Backups of the router of a device, as a part of its page. */
export const loadBackupsPanel = withMessages(['routerBackups', 'commands'], () => import('./BackupsPanel.tsx'));
