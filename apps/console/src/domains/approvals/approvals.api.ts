import { approvals } from '@highline/contract';
import { renderLogSentence } from '@highline/contract/log-texts';
import { queryOptions } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { call } from '../../api/client.ts';
import { type Page, pageOf } from '../../api/useList.ts';
import type { Language } from '../../ui/language.ts';

export type Approval = approvals.Approval;
export type Policy = approvals.ApprovalPolicy;

/** One page of the requests, the newest first. */
export async function fetchApprovals(
  query: { readonly limit: number; readonly offset?: number; readonly state?: approvals.ApprovalState | undefined },
  signal: AbortSignal,
): Promise<Page<Approval>> {
  return pageOf(await call(approvals.listApprovals, { query, signal }));
}

/** What of the own company waits. */
export const policyQuery = queryOptions({
  queryKey: ['approvals', 'policy'],
  queryFn: async ({ signal }): Promise<Policy> => (await call(approvals.getApprovalPolicy, { signal })).result,
  meta: { topics: ['approvals'] },
});

/** The rules, with the own password. */
export type PolicyInput = Pick<Policy, 'rolloutsAbove' | 'factoryReset' | 'settings' | 'deletion'> & {
  readonly password: string;
};

/** @throws ApiError `approval.waiting` where less would wait, `approval.no_second`, `account.wrong_password`, `conflict.stale` */
export async function savePolicy(body: PolicyInput, version: string): Promise<void> {
  await call(approvals.saveApprovalPolicy, { body, ifMatch: `"${version}"` });
}

/** Approve exactly what was shown, reject, or withdraw. @throws ApiError `approval.changed`, `approval.not_waiting`, and as the act itself */
export async function decide({ id, confirmation }: Approval, decision: approvals.Decision, reason: string): Promise<Approval> {
  const body = { decision, ...(decision === 'approve' && { confirmation }), ...(reason !== '' && { reason }) };
  return (await call(approvals.decideApproval, { params: { approval: id }, body })).result;
}

/** In which role, and for which company, someone requested it. */
export function requesterOf(t: TFunction, { requester }: Approval): string {
  const { kind, role, ownRole, company } = requester;
  const named = ownRole ?? t(`approvals.role.${role}`);
  return [kind === 'home' ? named : t(`approvals.as.${kind}`, { role: named }), ...(company === null ? [] : [company])].join(
    ' · ',
  );
}

/** What a request does, as text. */
export function actsOf(language: Language, { acts }: Approval): string[] {
  return acts.map((act) => renderLogSentence(language, act));
}
