import { DEFAULT_GROUP_KEY } from '@highline/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../../api/useAction.ts';
import { useErrorText } from '../../../api/useErrorText.ts';
import { useOtherCase } from '../../../api/useOtherCase.ts';
import { FilterBar } from '../../../ui/filter/FilterBar.tsx';
import { useLetterCase } from '../../../ui/filter/useLetterCase.ts';
import type { Selection } from '../../../ui/list/useSelection.ts';
import { usePreferredSize } from '../../../ui/preferences.ts';
import { DataTable } from '../../../ui/table/DataTable.tsx';
import { formatNumber } from '../../../ui/time/format.ts';
import { useColumns } from './member-columns.tsx';
import {
  countMembers,
  fetchAllMembers,
  type Member,
  memberFields,
  MOST_MOVED,
  membersQuery,
  type MemberView,
} from './members.api.ts';
import { matching, pageOfBoth } from './moves.ts';
import './move.css';

const PAGE = 10;
const start = { page: 1, sort: undefined, field: 'serial', search: undefined, ignoreCase: undefined } as const;
const noMembers: readonly Member[] = [];

export interface MemberTableProps {
  readonly id: string;
  readonly caption: string;
  /** The group whose devices are shown; undefined for a new one. */
  readonly group: string | undefined;
  /** Devices that join when the group is saved; they are listed first. */
  readonly arriving?: readonly Member[];
  /** Ids of those that leave when the group is saved; they keep their place, marked. */
  readonly leaving?: ReadonlySet<string>;
  readonly selection?: Selection<Member>;
  /** Takes the move of one device back. */
  readonly onUndo?: (member: Member) => void;
}

const idOf = (member: Member) => member.device;

interface CheckAllProps {
  readonly group: string;
  readonly view: MemberView;
  /** How many devices match. */
  readonly total: number;
  readonly selection: Selection<Member>;
}

/** Selects every matching device, not only those of this page; earlier selections stay. */
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

/** The devices of a group, sorted, searched and paged by the server: a group may have 50,000 (GRP-09). */
export function MemberTable({
  id,
  caption,
  group,
  arriving = noMembers,
  leaving,
  selection,
  onUndo,
}: MemberTableProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const preferred = usePreferredSize();
  const [view, setView] = useState<MemberView>({ ...start, size: preferred ?? PAGE });
  const shownArriving = useMemo(() => matching(arriving, view), [arriving, view]);
  const arrivingIds = useMemo(() => new Set(arriving.map(idOf)), [arriving]);
  const piece = pageOfBoth(shownArriving, view.page, view.size);
  const query = useQuery({ ...membersQuery(group ?? '', view, piece.offset, piece.limit), enabled: group !== undefined });
  const stored = group === undefined ? { rows: noMembers, total: 0 } : query.data;
  const moving = (member: Member) => arrivingIds.has(member.device) || leaving?.has(member.device) === true;
  const columns = useColumns(moving, selection !== undefined && group === DEFAULT_GROUP_KEY, onUndo);
  const change = (part: Partial<MemberView>) => setView((before) => ({ ...before, page: 1, ...part }));
  const search = (field: MemberView['field'], text: string) =>
    change({ field, search: text === '' ? undefined : text, ...(text === view.search ? {} : { ignoreCase: undefined }) });
  const clear = () => change({ search: undefined, ignoreCase: undefined });
  const letterCase = useLetterCase(view.ignoreCase);
  const found = query.isPlaceholderData ? undefined : query.data?.total;
  const otherCase = useOtherCase({
    enabled: view.search !== undefined && view.ignoreCase === undefined && found === 0,
    queryKey: ['groups', 'members', group, view.field, view.search],
    count: (signal) => countMembers(group ?? '', { ...view, ignoreCase: 'true' }, signal),
    show: () => change({ ignoreCase: 'true' }),
  });
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
      onClearFilters={clear}
      otherCase={otherCase}
      {...(selection === undefined ? {} : { selection })}
      tools={
        <FilterBar
          search={{
            fields: memberFields.map((field) => ({ value: field, label: t(`groups.move.column.${field}`) })),
            field: view.field,
            value: view.search,
            onSearch: (field, text) => search(memberFields.find((one) => one === field) ?? 'serial', text),
          }}
          filters={[letterCase]}
          onFilter={() => change({ ignoreCase: undefined })}
          onClear={clear}
        >
          {selection !== undefined && group !== undefined && stored !== undefined && (
            <CheckAll group={group} view={view} total={stored.total} selection={selection} />
          )}
        </FilterBar>
      }
    />
  );
}
