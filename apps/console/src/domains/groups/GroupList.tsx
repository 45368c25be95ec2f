import { groups, rollouts } from '@highline/contract';
import { Button } from '../../ui/controls/Button.tsx';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { useTranslation } from '#i18n';
import type { ListFile } from '../../api/DownloadButton.tsx';
import { ListBar, ListDownload } from '../../api/ListBar.tsx';
import { ListPage } from '../../api/ListPage.tsx';
import { type List, useList } from '../../api/useList.ts';
import { useSession } from '../../api/session.ts';
import { useNotAllowed } from '../../api/useNotAllowed.ts';
import { isPageOpen } from '../../routing/page-rights.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import type { Filter } from '../../ui/filter/filter.ts';
import { FilterBar } from '../../ui/filter/FilterBar.tsx';
import { useSlash } from '../../ui/filter/SearchField.tsx';
import { useLetterCase } from '../../ui/filter/useLetterCase.ts';
import { useSelection } from '../../ui/list/useSelection.ts';
import type { Column } from '../../ui/table/column.ts';
import { ColumnChooser } from '../../ui/table/ColumnChooser.tsx';
import { useZone } from '../../ui/time/zone.ts';
import { groupColumns } from './columns.tsx';
import { UserGroup } from './control/UserGroup.tsx';
import { DeleteGroups } from './DeleteGroups.tsx';
import { isDefaultGroup } from './group.ts';
import { fetchGroups, fetchGroupsFile } from './groups.api.ts';
import type { Group } from '../../entities/groups/group.api.ts';
import './groups.css';
import { groupList, organizationGroupList } from './groups.lists.ts';
import { formatDay, untilToday } from '../../ui/time/format.ts';
import { SearchPanel } from './SearchPanel.tsx';

type Groups = List<typeof groupList, Group>;

const idOf = (group: Group) => group.group;
const nameOf = (group: Group) => group.groupName;

/** The active filters as chips; they are set in the search panel. */
function useChips(list: Groups): readonly Filter[] {
  const { t } = useTranslation();
  const { search, field = 'group', schedule, rollout, from, until } = list.state.search;
  const zone = useZone();
  const range = from === undefined && until === undefined ? undefined : 'range';
  const shown = (day: string | undefined) => formatDay(untilToday(day, zone) ?? '…');
  return [
    { name: 'search', label: t(`groups.search.fields.${field}`), options: [], value: search, shown: search },
    {
      name: 'schedule',
      label: t('groups.search.schedule'),
      options: [],
      value: schedule,
      shown: schedule === undefined ? undefined : t(`groups.schedule.${schedule}`),
    },
    {
      name: 'rollout',
      label: t('groups.search.rollout'),
      options: [],
      value: rollout,
      shown: rollout === undefined ? undefined : t(`groups.rollout.${rollout}`),
    },
    {
      name: 'range',
      label: t('groups.search.created'),
      options: [],
      value: range,
      shown: t('groups.search.fromUntil', { from: shown(from), until: shown(until) }),
    },
  ];
}

function Tools({ list, columns }: { list: Groups; columns: readonly Column<Group>[] }): ReactNode {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const show = useCallback(() => setOpen(true), []);
  useSlash(show);
  const { search, change, clear } = list.state;
  const chips = [...useChips(list), useLetterCase(search.ignoreCase)];
  return (
    <>
      <FilterBar
        lead={
          <Button leftSection={<IconSearch size={16} />} aria-haspopup="dialog" onClick={show}>
            {t('groups.search.open')}
          </Button>
        }
        filters={chips}
        onFilter={(name) => change(name === 'range' ? { from: undefined, until: undefined } : { [name]: undefined })}
        onClear={clear}
      >
        <ColumnChooser id={groupList.id} columns={columns} />
      </FilterBar>
      {open && (
        <SearchPanel
          search={search}
          onClose={() => setOpen(false)}
          onApply={(filter) => {
            setOpen(false);
            change(filter);
          }}
          onReset={() => {
            setOpen(false);
            clear();
          }}
        />
      )}
    </>
  );
}

/**
 * /groups/list: the groups of the organization, live (GRP-01 … 05, GRP-10).
 * @param org as a part of the page of this organization: its groups lead to their devices (ATT-03)
 */
export function GroupList({ org }: { org?: string }): ReactNode {
  const { t } = useTranslation();
  const session = useSession();
  const opensPage = session.role === 'admin' && isPageOpen(session, '/groups/detail');
  const zone = useZone();
  const navigate = useNavigate();
  const [viewed, setViewed] = useState<Group>();
  const columns = useMemo(() => groupColumns(t, zone, opensPage), [t, zone, opensPage]);
  const reason = useCallback((group: Group) => (isDefaultGroup(group.group) ? t('groups.remove.isDefault') : undefined), [t]);
  const selection = useSelection(idOf, reason, 'always', nameOf);
  const notAllowed = useNotAllowed('groups.delete', t('groups.remove.notAllowed'));
  const addDenied = useNotAllowed('groups.create', t('groups.addDenied'));
  const list = useList({
    spec: org === undefined ? groupList : organizationGroupList,
    topics: ['groups', 'devices', 'rollouts'],
    key: [zone, org],
    highlight: 'groups',
    fetchPage: (query, signal) => fetchGroups({ ...query, zone, org }, signal),
  });
  const open = (row: Group) => {
    const { group } = row;
    if (org !== undefined) void navigate({ to: '/organization/setting', search: { org, tab: 'devices', group } });
    else if (opensPage) void navigate({ to: '/groups/detail', search: { group } });
    else setViewed(row);
  };

  const file: ListFile<typeof list.spec> = {
    name: 'Groups_export.csv',
    columns: { id: groupList.id, columns, known: groups.groupColumns },
    fetch: (query) => fetchGroupsFile({ ...query, zone, org }),
  };
  return (
    <ListPage
      list={list}
      title={t('groups.title')}
      count={(count, shown) => t('groups.count', { count, shown })}
      isPart={org !== undefined}
      actions={
        <>
          <ListDownload list={list} file={file} />
          {org === undefined && (
            <>
              <DeleteGroups selection={selection} reload={list.reload} notAllowed={notAllowed} />
              <ActionButton
                variant="filled"
                icon={<IconPlus size={16} />}
                disabledReason={addDenied}
                onClick={() => void navigate({ to: '/groups/add' })}
              >
                {t('groups.add')}
              </ActionButton>
            </>
          )}
        </>
      }
      caption={t('groups.caption')}
      columns={columns}
      rowId={idOf}
      onOpen={open}
      selection={selection}
      bar={
        <ListBar list={list} selection={selection} most={rollouts.MAX_IMPACT_GROUPS} file={file}>
          {org === undefined && <DeleteGroups selection={selection} reload={list.reload} notAllowed={notAllowed} inBar />}
        </ListBar>
      }
      tools={<Tools list={list} columns={columns} />}
    >
      {viewed !== undefined && <UserGroup group={viewed} onClose={() => setViewed(undefined)} />}
    </ListPage>
  );
}
