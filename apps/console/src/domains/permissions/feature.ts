import { screen } from '../../routing/page.ts';

/** In place of a page that the role may not open (IAM-08). */
export const NotAllowed = screen(['permissions'], () => import('./NotAllowed.tsx'), 'NotAllowed');

export const messages = {
  permissions: { 'en-US': () => import('./permissions.en-US.ts'), 'zh-TW': () => import('./permissions.zh-TW.ts') },
};
