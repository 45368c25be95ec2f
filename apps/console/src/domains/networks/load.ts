import { withMessages } from '../../i18n/i18n.ts';

/** The networks of a device as tabs of its page. */
export const loadNetworkTabs = withMessages(['networks', 'remote'], () => import('./NetworkTabs.tsx'));
