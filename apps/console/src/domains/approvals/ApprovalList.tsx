import { IconSettings } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from '#i18n';
import { ListPage } from '../../api/ListPage.tsx';
import { filterOf } from '../../api/ListTools.tsx';
import { useList } from '../../api/useList.ts';
import { PeopleLink } from '../../entities/people/PeopleLink.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { type Language, useLanguage } from '../../ui/language.ts';
import { FilterBar } from '../../ui/filter/FilterBar.tsx';
import { StatusDot } from '../../ui/StatusDot.tsx';
import type { Column } from '../../ui/table/column.ts';
import { formatNumber } from '../../ui/time/format.ts';
import { DateTime } from '../../ui/time/RelativeTime.tsx';
import { ApprovalDialog } from './ApprovalDialog.tsx';
import { actsOf, type Approval, fetchApprovals, requesterOf } from './approvals.api.ts';
import { approvalList } from './approvals.lists.ts';
import { PolicyDialog } from './PolicyDialog.tsx';

const tones = { waiting: 'warn', approved: 'ok', rejected: 'bad', expired: 'idle', withdrawn: 'idle' } as const;

function approvalColumns(t: TFunction, language: Language, onOpen: (request: Approval) => void): readonly Column<Approval>[] {
  const text = (request: Approval) => actsOf(language, request).join(language === 'zh-TW' ? '；' : '; ');
  return [
    {
      id: 'act',
      header: t('approvals.column.act'),
      phone: 'title',
      text,
      pinned: true,
      width: 420,
      cell: (request) => (
        <button
          type="button"
          className="link"
          aria-label={t('approvals.openLabel', { act: text(request) })}
          onClick={() => onOpen(request)}
        >
          {text(request)}
        </button>
      ),
    },
    {
      id: 'state',
      header: t('approvals.column.state'),
      phone: 'state',
      text: ({ state }) => t(`approvals.state.${state}`),
      width: 120,
      cell: ({ state }) => <StatusDot tone={tones[state]}>{t(`approvals.state.${state}`)}</StatusDot>,
    },
    {
      id: 'routers',
      header: t('approvals.column.routers'),
      text: ({ routers }) => String(routers),
      width: 90,
      cell: ({ routers }) => formatNumber(routers),
    },
    {
      id: 'by',
      header: t('approvals.column.by'),
      phone: 'line',
      text: (request) => `${request.by} ${requesterOf(t, request)}`,
      width: 260,
      cell: (request) => (
        <>
          {request.by} <span className="dim">{requesterOf(t, request)}</span>
        </>
      ),
    },
    {
      id: 'created',
      header: t('approvals.column.created'),
      phone: 'line',
      text: ({ created }) => created,
      width: 170,
      cell: ({ created }) => <DateTime moment={new Date(created)} />,
    },
    {
      id: 'decided',
      header: t('approvals.column.decided'),
      text: ({ decidedBy }) => decidedBy ?? '',
      width: 200,
      optional: true,
      cell: ({ decidedBy }) => decidedBy ?? '–',
    },
  ];
}

/** /approvals: acts that wait for a second person, and those that did (IAM-07). */
export function ApprovalList(): ReactNode {
  const { t } = useTranslation();
  const language = useLanguage();
  const [shown, setShown] = useState<Approval>();
  const [isEditing, setEditing] = useState(false);
  const columns = useMemo(() => approvalColumns(t, language, setShown), [t, language]);
  const list = useList({
    spec: approvalList,
    topics: ['approvals'],
    fetchPage: ({ limit, offset = 0, state }, signal) =>
      fetchApprovals({ limit, offset, ...(state !== undefined && { state }) }, signal),
  });
  // What is shown is what the list has now: a request may change while it is open.
  const current = shown && (list.response?.rows.find(({ id }) => id === shown.id) ?? shown);
  return (
    <ListPage
      list={list}
      title={t('approvals.title')}
      back={<PeopleLink />}
      count={(count, total) => t('approvals.count', { count, shown: total })}
      actions={
        <Button leftSection={<IconSettings size={16} />} onClick={() => setEditing(true)}>
          {t('approvals.policy.open')}
        </Button>
      }
      note={<p className="dim">{t('approvals.hint')}</p>}
      caption={t('approvals.title')}
      columns={columns}
      rowId={({ id }) => id}
      tools={
        <FilterBar
          filters={[
            filterOf(list, 'state', {
              label: t('approvals.column.state'),
              all: t('approvals.state.all'),
              of: (state) => t(`approvals.state.${state}`),
            }),
          ]}
          onFilter={(name, value) => list.state.change({ [name]: value })}
          onClear={list.state.clear}
        />
      }
    >
      {current !== undefined && (
        <ApprovalDialog
          request={current}
          onClose={() => setShown(undefined)}
          onChanged={() => {
            list.reload();
          }}
        />
      )}
      {isEditing && <PolicyDialog onClose={() => setEditing(false)} />}
    </ListPage>
  );
}
