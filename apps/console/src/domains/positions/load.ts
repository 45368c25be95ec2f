import { withMessages } from '../../i18n/i18n.ts';

/** The trail of a vehicle as a part of the page of its device. */
export const loadTrailPanel = withMessages(['places', 'positions', 'trail'], () => import('./trail/TrailPanel.tsx'));
