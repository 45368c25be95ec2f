import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { useTranslation } from '#i18n';
import { ListStatus } from '../../api/ListStatus.tsx';
import { useErrorText } from '../../api/useErrorText.ts';
import { useSession } from '../../api/session.ts';
import { isPageOpen } from '../../routing/page-rights.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { useZone } from '../../ui/time/zone.ts';
import { LazySetupNote } from '../setup/index.ts';
import { attentionQuery } from './attention.api.ts';
import { useOfflineSpan } from './AttentionCard.tsx';
import { DevicesCard, GroupsCard, LogsCard, UsersCard } from './Cards.tsx';
import { NeedsAttention } from './NeedsAttention.tsx';
import { countsQuery, loginStatusQuery } from './overview.api.ts';
import { OverviewDetails } from './OverviewDetails.tsx';
import './overview.css';

/**
 * /dashboard: what needs attention (ATT-01, ATT-02), and the state of the organization at a glance (OVW-01 … 08). What is below the first
 * block appears with it, so that nothing moves. People, the log and the share online are of the whole organization: who is limited to groups
 * and tags has none of them (IAM-04).
 */
export function Overview(): ReactNode {
  const { t } = useTranslation();
  const session = useSession();
  const { org, limitedTo } = session;
  const seesAll = limitedTo === null;
  const zone = useZone();
  const errorText = useErrorText();
  const [span, setSpan] = useOfflineSpan();
  const attention = useQuery(attentionQuery(span));
  const counts = useQuery(countsQuery(zone));
  const users = useQuery(loginStatusQuery(seesAll ? org?.id : undefined));
  const hasFailed = counts.error !== null && counts.data === undefined;

  return (
    <div className="page">
      <PageHeader title={t('overview.title')} sub={<ListStatus updatedAt={counts.dataUpdatedAt} />} />
      <NeedsAttention query={attention} span={span} onSpan={setSpan} />
      {!attention.isPending && (
        <>
          {isPageOpen(session, '/setup') && (
            <Suspense>
              <LazySetupNote />
            </Suspense>
          )}
          {hasFailed ? (
            <div className="card">
              <ErrorState text={errorText(counts.error)} onRetry={() => void counts.refetch()} />
            </div>
          ) : (
            <div className="overview__cards">
              <DevicesCard counts={counts.data} />
              {isPageOpen(session, '/groups/list') && <GroupsCard counts={counts.data} />}
              {seesAll && (
                <>
                  <UsersCard users={users.data} />
                  {isPageOpen(session, '/logs') && <LogsCard counts={counts.data} />}
                </>
              )}
            </div>
          )}
          <OverviewDetails counts={counts.data} hasFailed={hasFailed} />
        </>
      )}
    </div>
  );
}
