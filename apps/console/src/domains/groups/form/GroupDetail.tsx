import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../../api/useAction.ts';
import { useErrorText } from '../../../api/useErrorText.ts';
import { PageHeader } from '../../../ui/page/PageHeader.tsx';
import { PageSkeleton } from '../../../ui/page/Skeleton.tsx';
import { EmptyState, ErrorState } from '../../../ui/states.tsx';
import { formatNumber } from '../../../ui/time/format.ts';
import { toast } from '../../../ui/toasts.ts';
import { deleteGroups, type GroupDetails, groupQuery } from '../groups.api.ts';
import { ControlPanel } from '../control/ControlPanel.tsx';
import { isDefaultGroup } from '../group.ts';
import { RolloutPanels } from '../rollout/RolloutPanels.tsx';
import { GroupActions, GroupForm, useProblems } from './GroupForm.tsx';
import { useGroupForm } from './useGroupForm.ts';
import { emptyValues } from './values.ts';

function Back({ number }: { number?: number }): ReactNode {
  const { t } = useTranslation();
  return (
    <span className="crumbs">
      <Link to="/groups/list" search={{}}>
        {t('groups.title')}
      </Link>
      {number !== undefined && <span className="dim">/ {formatNumber(number)}</span>}
    </span>
  );
}

function Details({ group, etag }: { group: GroupDetails; etag: string | undefined }): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const form = useGroupForm({
    form: `group-${group.group}`,
    stored: { group, etag },
    empty: emptyValues,
    onSaved: () => toast(t('ui.done.edited')),
  });
  const problems = useProblems(form);
  const remove = useAction<string, void>({
    run: (confirmed) => deleteGroups([group.group], confirmed),
    onDone: () => {
      toast(t('groups.remove.done'));
      form.abandon();
    },
  });
  useEffect(() => {
    if (form.saved) void navigate({ to: '/groups/list', search: {} });
  }, [form.saved, navigate]);
  return (
    <>
      <PageHeader
        title={group.groupName}
        back={<Back number={group.number} />}
        sub={t('groups.form.deviceCount', { count: group.deviceCount, shown: formatNumber(group.deviceCount) })}
        actions={<GroupActions form={form} problems={problems} />}
      />
      <div className="group-detail">
        <section className="card panel" aria-label={t('groups.form.panel')}>
          <GroupForm
            form={form}
            problems={problems}
            number={group.number}
            deviceCount={group.deviceCount}
            models={group.models}
            onDelete={remove.run}
          />
        </section>
        <div className="group-detail__side">
          <RolloutPanels group={group.group} />
          {!isDefaultGroup(group.group) && <ControlPanel group={group.group} />}
        </div>
      </div>
    </>
  );
}

/** /groups/detail?group=…: one group, and the live rollouts of its bindings (GRP-02, GRP-08 … 10, NAV-05). */
export function GroupDetail(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { group: key } = useSearch({ from: '/signed-in/groups/detail' });
  const query = useQuery({ ...groupQuery(key ?? ''), enabled: key !== undefined });
  if (key === undefined) return <Navigate to="/groups/list" search={{}} replace />;
  if (query.data !== undefined && query.data !== null) {
    const { group, etag } = query.data;
    return (
      <div className="page">
        <Details key={group.group} group={group} etag={etag} />
      </div>
    );
  }
  return (
    <div className="page" aria-busy={query.isPending}>
      <PageHeader title={t('groups.form.panel')} back={<Back />} />
      {query.isPending && (
        <div className="group-detail">
          <PageSkeleton panels={2} />
        </div>
      )}
      {query.isError && <ErrorState text={errorText(query.error)} onRetry={() => void query.refetch()} />}
      {query.data === null && <EmptyState text={t('groups.form.gone')} action={<Back />} />}
    </div>
  );
}
