import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSession } from '../../api/session.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { isPageOpen } from '../../routing/page-rights.ts';
import { ErrorState } from '../../ui/states.tsx';
import { useZone } from '../../ui/time/zone.ts';
import {
  DevicesCard,
  GroupsCard,
  LogsCard,
  NeedsAttention,
  UsersCard,
  attentionQuery,
  countsQuery,
  loginStatusQuery,
  targetsOf,
  useOfflineSpan,
} from '../overview/index.ts';
import '../overview/overview.css';

/** The tab Overview of an organization: what its own admin sees first, each figure leading to a tab (ATT-03). */
export function OrganizationOverview({ org }: { org: string }): ReactNode {
  const session = useSession();
  const zone = useZone();
  const errorText = useErrorText();
  const [span, setSpan] = useOfflineSpan();
  const attention = useQuery(attentionQuery(span, org));
  const counts = useQuery(countsQuery(zone, org));
  const users = useQuery(loginStatusQuery(org));
  const targets = targetsOf(org);
  return (
    <>
      <NeedsAttention query={attention} span={span} onSpan={setSpan} org={org} />
      {counts.error !== null && counts.data === undefined ? (
        <div className="card">
          <ErrorState text={errorText(counts.error)} onRetry={() => void counts.refetch()} />
        </div>
      ) : (
        <div className="overview__cards">
          <DevicesCard counts={counts.data} targets={targets} />
          {isPageOpen(session, '/groups/list') && <GroupsCard counts={counts.data} targets={targets} />}
          <UsersCard users={users.data} targets={targets} />
          {isPageOpen(session, '/logs') && <LogsCard counts={counts.data} targets={targets} />}
        </div>
      )}
    </>
  );
}
