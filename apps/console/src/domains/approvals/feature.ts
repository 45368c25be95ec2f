import { createRoute } from '@tanstack/react-router';
import { listSearch, page, type Raw, screen } from '../../routing/page.ts';
import { approvalList } from './approvals.lists.ts';

const ofList = listSearch(approvalList);

/** Acts that wait for a second person (IAM-07). The pages of people lead to it. */
const approvalsRoute = createRoute({
  ...page('/approvals', ['main', 'admin']),
  validateSearch: (raw: Raw) => ofList(raw),
  component: screen(['approvals'], () => import('./ApprovalList.tsx'), 'ApprovalList'),
});

export const routes = [approvalsRoute] as const;

export const messages = {
  approvals: { 'en-US': () => import('./approvals.en-US.ts'), 'zh-TW': () => import('./approvals.zh-TW.ts') },
};
