import { withMessages } from '../../i18n/i18n.ts';

/** What the frame shows after the page: no page waits for it. */
export const loadHeaderParts = withMessages(['views'], () => import('./header-parts.ts'));
