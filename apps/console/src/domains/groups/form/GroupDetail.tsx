import type { rollouts } from '@highline/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../../api/useAction.ts';
import { useRoleFor, useSession } from '../../../api/session.ts';
import { useReason } from '../../../api/useNotAllowed.ts';
import { isPageOpen } from '../../../routing/page-rights.ts';
import { Loaded } from '../../../api/Loaded.tsx';
import { lastSearch } from '../../../ui/list/last-search.ts';
import { PageHeader } from '../../../ui/page/PageHeader.tsx';
import { PageSkeleton } from '../../../ui/page/Skeleton.tsx';
import { formatNumber } from '../../../ui/time/format.ts';
import { toast } from '../../../ui/toasts.ts';
import { deleteGroups } from '../groups.api.ts';
import { type GroupDetails, groupQuery } from '../../../entities/groups/group.api.ts';
import { ControlPanel } from '../control/ControlPanel.tsx';
import { isDefaultGroup } from '../group.ts';
import { RolloutPanels } from '../rollout/RolloutPanels.tsx';
import { AddByView } from './AddByView.tsx';
import { useProblems } from './useProblems.ts';
import { GroupForm } from './GroupForm.tsx';
import { useGroupForm } from './useGroupForm.ts';

function Back({ name }: { name?: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <span className="crumbs">
      <Link to="/groups/list" search={lastSearch('/groups/list')}>
        {t('groups.title')}
      </Link>
      {name !== undefined && <span className="dim">/ {name}</span>}
    </span>
  );
}

function Details({ group, etag }: { group: GroupDetails; etag: string | undefined }): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const session = useSession();
  const { ownRole } = session;
  const reason = useReason();
  const may = (...calls: readonly string[]) => calls.every((call) => reason(call) === undefined);
  const mayControl = useRoleFor('rollouts') === 'admin';
  const form = useGroupForm({ stored: { group, etag }, onSaved: () => toast(t('ui.done.edited')) });
  const problems = useProblems(form);
  const remove = useAction<string, void>({
    run: (confirmed) => deleteGroups([group.group], confirmed),
    onDone: () => {
      toast(t('groups.remove.done'));
      form.abandon();
      void navigate({ to: '/groups/list', search: {} });
    },
  });
  const rollOutAgain = (kind: rollouts.BindingKind) => {
    form.set({ again: [...form.values.again, kind] });
    form.ref.current?.querySelector('.rollout-plan')?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <>
      <PageHeader
        title={group.groupName}
        back={<Back name={group.groupName} />}
        actions={
          <>
            {isPageOpen(session, '/groups/settings') && (
              <Link to="/groups/settings" search={{ group: group.group }}>
                {t('groups.settings')}
              </Link>
            )}
            {!isDefaultGroup(group.group) && may('jobs.start', 'devices.save') && (
              <AddByView group={group.group} name={group.groupName} />
            )}
          </>
        }
        sub={t('groups.form.deviceCount', { count: group.deviceCount, shown: formatNumber(group.deviceCount) })}
      />
      <div className="group-detail">
        <GroupForm
          form={form}
          problems={problems}
          number={group.number}
          deviceCount={group.deviceCount}
          models={group.models}
          onDelete={remove.run}
        />
        <div className="group-detail__side">
          {(ownRole === null || ownRole.rights.includes('rollouts.read')) && (
            <RolloutPanels
              group={group.group}
              isReadOnly={!mayControl}
              onAgain={may('groups.saveWhole', 'bindings.firmware') ? rollOutAgain : undefined}
            />
          )}
          {!isDefaultGroup(group.group) && may('groups.changeControl') && <ControlPanel group={group.group} />}
        </div>
      </div>
    </>
  );
}

/** /groups/detail?group=…: one group, and the live rollouts of its bindings (GRP-02, GRP-08 … 10). */
export function GroupDetail(): ReactNode {
  const { t } = useTranslation();
  const { group: key = '' } = useSearch({ from: '/signed-in/groups/detail' });
  const query = useQuery(groupQuery(key));
  return (
    <div className="page" aria-busy={query.isPending}>
      {!query.data && <PageHeader title={t('groups.form.panel')} back={<Back />} />}
      <Loaded
        query={query}
        gone={t('groups.form.gone')}
        action={<Back />}
        skeleton={
          <div className="group-detail">
            <PageSkeleton panels={2} />
          </div>
        }
      >
        {({ group, etag }) => <Details key={group.group} group={group} etag={etag} />}
      </Loaded>
    </div>
  );
}
