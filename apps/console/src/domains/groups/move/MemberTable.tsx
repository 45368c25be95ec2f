import { DEFAULT_GROUP_KEY } from '@highline/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../../api/useAction.ts';
import { useErrorText } from '../../../api/useErrorText.ts';
import { FilterBar } from '../../../ui/filter/FilterBar.tsx';
import type { Selection } from '../../../ui/list/useSelection.ts';
import { StatusDot, type Tone } from '../../../ui/StatusDot.tsx';
import type { Column } from '../../../ui/table/column.ts';
import { DataTable } from '../../../ui/table/DataTable.tsx';
import { formatNumber } from '../../../ui/time/format.ts';
import { fetchAllMembers, type Member, memberFields, MOST_MOVED, membersQuery, type MemberView } from './members.api.ts';
import './move.css';
import { matching, pageOfBoth } from './moves.ts';

const PAGE = 10;
const start: MemberView = { page: 1, size: PAGE, sort: undefined, field: 'serial', search: undefined };
const tones: Readonly<Record<Member['presence'], Tone>> = { online: 'ok', offline: 'idle', unknown: 'unknown' };
const nobody: readonly Member[] = [];

export interface MemberTableProps {
  readonly id: string;
  readonly caption: string;
  /** The group whose devices show; undefined for one that does not exist yet. */
  readonly group: string | undefined;
  /** Come in when the group is saved; they stand first. */
  readonly arriving?: readonly Member[];
  /** Ids of those that leave when the group is saved; they keep their place, marked. */
  readonly leaving?: ReadonlySet<string>;
  readonly selection?: Selection<Member>;
}

const idOf = (member: Member) => member.device;

function Status({ member, moving, pool }: { member: Member; moving: boolean; pool: boolean }): ReactNode {
  const { t } = useTranslation();
  if (moving) return <StatusDot tone="busy">{t('groups.move.moving')}</StatusDot>;
  if (pool && !member.movable) return <span className="dim">{t('devices.service.not-subscribed')}</span>;
  return <StatusDot tone={tones[member.presence]}>{t(`devices.presence.${member.presence}`)}</StatusDot>;
}

function useColumns(moving: (member: Member) => boolean, pool: boolean): readonly Column<Member>[] {
  const { t } = useTranslation();
  return [
    {
      id: 'serial',
      header: t('groups.move.column.serial'),
      sort: 'serial',
      pinned: true,
      cell: (member) => <span className="mono strong">{member.serial_number}</span>,
    },
    {
      id: 'presence',
      header: t('groups.move.column.presence'),
      cell: (member) => <Status member={member} moving={moving(member)} pool={pool} />,
    },
    {
      id: 'vehicle',
      header: t('groups.move.column.vehicle'),
      sort: 'vehicle',
      clip: 140,
      cell: (member) => member.vehicle_number,
    },
    { id: 'model', header: t('groups.move.column.model'), cell: (member) => member.model ?? <span className="dim">--</span> },
  ];
}

interface CheckAllProps {
  readonly group: string;
  readonly view: MemberView;
  /** How many devices match. */
  readonly total: number;
  readonly selection: Selection<Member>;
}

/** Checks every device that matches, not only those of this page; what was found already stays checked. */
function CheckAll({ group, view, total, selection }: CheckAllProps): ReactNode {
  const { t } = useTranslation();
  const check = useAction<void, readonly Member[]>({
    run: () => fetchAllMembers(group, view),
    onDone: (members) => selection.setMany(members, true),
  });
  if (total <= view.size || total > MOST_MOVED) return null;
  return (
    <button type="button" className="link" disabled={check.busy} onClick={() => check.run()}>
      {t('groups.move.checkAll', { shown: formatNumber(total) })}
    </button>
  );
}

/** The devices of a group, sorted, searched and paged by the server: a group may hold 50,000 (GRP-09). */
export function MemberTable({ id, caption, group, arriving = nobody, leaving, selection }: MemberTableProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [view, setView] = useState(start);
  const shownArriving = useMemo(() => matching(arriving, view), [arriving, view]);
  const arrivingIds = useMemo(() => new Set(arriving.map(idOf)), [arriving]);
  const piece = pageOfBoth(shownArriving, view.page, view.size);
  const query = useQuery({ ...membersQuery(group ?? '', view, piece.offset, piece.limit), enabled: group !== undefined });
  const stored = group === undefined ? { rows: nobody, total: 0 } : query.data;
  const moving = (member: Member) => arrivingIds.has(member.device) || leaving?.has(member.device) === true;
  const columns = useColumns(moving, selection !== undefined && group === DEFAULT_GROUP_KEY);
  const change = (part: Partial<MemberView>) => setView((before) => ({ ...before, page: 1, ...part }));
  return (
    <DataTable
      id={id}
      caption={caption}
      columns={columns}
      rowId={idOf}
      source={{
        rows: stored && [...piece.first, ...stored.rows.filter(({ device }) => !arrivingIds.has(device))],
        total: stored && stored.total + shownArriving.length,
        fetching: query.isFetching,
        error: query.error === null ? undefined : errorText(query.error),
        retry: () => void query.refetch(),
      }}
      view={view}
      defaultSize={PAGE}
      onView={(part) => change(part as Partial<MemberView>)}
      filtered={view.search !== undefined}
      onClearFilters={() => change({ search: undefined })}
      {...(selection === undefined ? {} : { selection })}
      tools={
        <FilterBar
          search={{
            fields: memberFields.map((field) => ({ value: field, label: t(`groups.move.column.${field}`) })),
            field: view.field,
            value: view.search,
            onSearch: (field, text) =>
              change({ field: memberFields.find((one) => one === field) ?? 'serial', search: text === '' ? undefined : text }),
          }}
          filters={[]}
          onFilter={() => undefined}
          onClear={() => change({ search: undefined })}
        >
          {selection !== undefined && group !== undefined && stored !== undefined && (
            <CheckAll group={group} view={view} total={stored.total} selection={selection} />
          )}
        </FilterBar>
      }
    />
  );
}
