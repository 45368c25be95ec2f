import { lazy } from 'react';
import { withMessages } from '../../i18n/i18n.ts';

const load = withMessages(['apiKeys', 'permissions'], () => import('./NotAllowed.tsx'));

/** In place of a page that the role may not open (IAM-08). */
export const NotAllowed = lazy(async () => ({ default: (await load()).NotAllowed }));

export const messages = {
  permissions: { 'en-US': () => import('./permissions.en-US.ts'), 'zh-TW': () => import('./permissions.zh-TW.ts') },
};
