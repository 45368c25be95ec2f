import { withMessages } from '../../i18n/i18n.ts';

/** What is set on the router of a device, as a part of its page. */
export const loadSettingsPanel = withMessages(['routerSettings', 'settingFaults'], () => import('./DeviceSettingsPanel.tsx'));
