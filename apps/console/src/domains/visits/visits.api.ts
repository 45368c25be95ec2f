import { visits } from '@highline/contract';
import { call, type CallInput } from '../../api/client.ts';
import { pagesOf } from '../../api/useList.ts';

export type Visit = visits.Visit;
export type VisitInput = CallInput<typeof visits.openVisit>['body'];

/** One page of the visits, the newest first. */
export const fetchVisits = pagesOf(visits.listVisits);

/** @throws ApiError `visit.is_member`, `visit.open_already`, `account.exists`, `visit.too_many` */
export async function openVisit(body: VisitInput): Promise<void> {
  await call(visits.openVisit, { body });
}

export async function endVisit(id: string): Promise<void> {
  await call(visits.endVisit, { params: { visit: id } });
}

/** Act there: everything on the page is of another company, so it is loaded again. */
export async function enterVisit(id: string): Promise<void> {
  await call(visits.enterVisit, { params: { visit: id } });
  location.assign('/');
}

/** Back to the own company. */
export async function leaveVisit(): Promise<void> {
  await call(visits.leaveVisit, {});
  location.assign('/');
}
