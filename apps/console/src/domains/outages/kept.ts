import { outages as calls } from '@highline/contract';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../../api/session.ts';
import { organizationQuery } from '../../entities/organizations/organization.api.ts';
import { historyBegins } from '../../ui/time/period.ts';

/** The first day, in UTC, of which outages of the organization are kept; undefined = not known, or of several organizations. @param now epoch milliseconds */
export function useKeptSince(now: number): Date | undefined {
  const organization = useQuery(organizationQuery(useSession().org?.id)).data;
  if (organization === undefined || organization === null) return undefined;
  const { retentionDays, maxRetentionDays } = organization;
  const most = Math.max(maxRetentionDays, calls.KEPT_OUTAGE_DAYS);
  return historyBegins(new Date(now), Math.min(retentionDays ?? most, most));
}
