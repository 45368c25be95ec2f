import { withMessages } from '../../i18n/i18n.ts';

/** The tests of a router as a part of the page of its device. */
export const loadToolsTab = withMessages(['tools'], () => import('./ToolsPanels.tsx'));
