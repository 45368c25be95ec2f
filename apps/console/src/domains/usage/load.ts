import { withMessages } from '../../i18n/i18n.ts';

/** The use of a device as a part of its page. */
export const loadDeviceUse = withMessages(['usage'], () => import('./DeviceUse.tsx'));
