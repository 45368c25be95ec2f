import { approvals as calls } from '@highline/contract';
import { sendVersioned, tagResponse, type Routes } from '../../platform/calls/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { approvalList } from './approvals.queries.ts';
import { createDecisions, homeOf, toApprovalDto, type ApprovalDeps } from './approvals.service.ts';
import { readPolicy, savePolicy, type ApprovalPolicyDeps } from './policy.service.ts';

export type ApprovalRoutesDeps = ApprovalDeps & ApprovalPolicyDeps & Pick<Deps, 'reader' | 'streams'>;

/** Registers the calls of approvals (IAM-07). */
export function registerApprovalRoutes(
  routes: Routes,
  deps: ApprovalRoutesDeps,
  decisions: Pick<ReturnType<typeof createDecisions>, 'decide'>,
): void {
  const rightOf = (operation: string) => deps.operations().find(({ id }) => id === operation);

  routes.on(calls.getApprovalPolicy, async ({ actor, reply }) => {
    const result = await readPolicy(deps, actor);
    tagResponse(reply, result.version);
    return { result };
  });

  routes.on(calls.saveApprovalPolicy, (call) =>
    sendVersioned(
      call,
      (isCurrent) => savePolicy(deps, call.actor, call.body, isCurrent),
      () => readPolicy(deps, call.actor),
    ),
  );

  routes.on(calls.listApprovals, async ({ actor, query }) =>
    approvalList((row) => toApprovalDto(row, actor, rightOf(row.operation))).respond(deps, homeOf(actor), query),
  );

  routes.on(calls.decideApproval, async ({ actor, params, body }) => {
    const row = await decisions.decide(actor, params.approval, body);
    return { result: toApprovalDto(row, actor, rightOf(row.operation)) };
  });
}
