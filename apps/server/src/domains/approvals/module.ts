import type { Module } from '../../platform/modules/module.ts';
import { purgeApprovals } from './approvals.job.queries.ts';
import { registerApprovalRoutes, type ApprovalRoutesDeps } from './approvals.routes.ts';
import { createDecisions } from './approvals.service.ts';

export const approvalsModule: Module<ApprovalRoutesDeps> = {
  open(routes, deps) {
    const decisions = createDecisions(deps);
    registerApprovalRoutes(routes, deps, decisions);
    return {
      jobs: [
        { name: 'approvals', everyMs: 60_000, run: (now) => decisions.expire(now) },
        { name: 'approvals: retention', everyMs: 3_600_000, run: (now) => purgeApprovals(deps.database, now) },
      ],
    };
  },
  // Also what its main account has about it.
  organizationEnd: { lastTables: ['approvals', 'approval_policies'] },
};
