import { IconShare } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from '#i18n';
import { ListPage } from '../../api/ListPage.tsx';
import { ListChips } from '../../api/ListTools.tsx';
import { useSession } from '../../api/session.ts';
import { useAction } from '../../api/useAction.ts';
import { useList } from '../../api/useList.ts';
import { useOrganizationFilter } from '../../entities/organizations/useOrganizationFilter.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { confirmAction } from '../../ui/dialogs.ts';
import { SecretDialog } from '../../ui/SecretDialog.tsx';
import { StatusDot } from '../../ui/StatusDot.tsx';
import type { Column } from '../../ui/table/column.ts';
import { formatDateTime, formatNumber } from '../../ui/time/format.ts';
import { DateTime, RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { useZone } from '../../ui/time/zone.ts';
import { toast } from '../../ui/toasts.ts';
import { endLink, fetchLinks, type NewLink, type SharedLink } from './links.api.ts';
import { linkList } from './links.lists.ts';
import { ShareDialog } from './ShareDialog.tsx';

/** The name of what a link shows. */
function nameOf(t: TFunction, { shows, group }: SharedLink): string {
  if (shows === '') return t('links.gone');
  return group === null ? shows : t('links.group', { name: shows });
}

/** Ends one link, after a question. */
function EndButton({ link }: { link: SharedLink }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const name = nameOf(t, link);
  const ending = useAction<void, void>({
    run: () => endLink(link),
    onDone: () => {
      void client.invalidateQueries({ queryKey: ['links'] });
      toast(t('links.end.done'));
    },
  });
  const ask = async () => {
    const question = { title: t('links.end.title', { name }), text: t('links.end.text') };
    if (await confirmAction({ ...question, yes: t('links.end.yes'), no: t('ui.cancel'), effect: 'permanent' })) ending.run();
  };
  return (
    <Button size="xs" loading={ending.busy} aria-label={t('links.end.label', { name })} onClick={() => void ask()}>
      {t('links.end.open')}
    </Button>
  );
}

function linkColumns(t: TFunction, isMain: boolean): readonly Column<SharedLink>[] {
  const organization: Column<SharedLink> = {
    id: 'organization',
    header: t('links.column.organization'),
    text: ({ orgName }) => orgName,
    width: 200,
    cell: ({ orgName }) => orgName,
  };
  const opened = ({ opened: count }: SharedLink) =>
    count === 0 ? t('links.never') : t('links.opened', { count, shown: formatNumber(count) });
  return [
    {
      id: 'shows',
      header: t('links.column.shows'),
      phone: 'title',
      text: (link) => nameOf(t, link),
      pinned: true,
      width: 190,
      cell: (link) => <span className={link.shows === '' ? 'dim' : undefined}>{nameOf(t, link)}</span>,
    },
    {
      id: 'state',
      header: t('links.column.state'),
      phone: 'state',
      text: ({ state }) => t(`links.state.${state}`),
      width: 150,
      cell: ({ state }) => <StatusDot tone={state === 'active' ? 'ok' : 'idle'}>{t(`links.state.${state}`)}</StatusDot>,
    },
    ...(isMain ? [organization] : []),
    { id: 'note', header: t('links.column.note'), phone: 'line', text: ({ note }) => note, width: 170, cell: ({ note }) => note },
    {
      id: 'ends',
      header: t('links.column.ends'),
      phone: 'line',
      text: ({ ended, expires }) => ended ?? expires,
      width: 190,
      cell: ({ ended, expires }) => <DateTime moment={new Date(ended ?? expires)} />,
    },
    {
      id: 'opened',
      header: t('links.column.opened'),
      text: opened,
      width: 150,
      cell: (link) => (
        <>
          {opened(link)}
          {link.lastOpened !== null && (
            <span className="dim">
              {' · '}
              <RelativeTime moment={link.lastOpened} />
            </span>
          )}
        </>
      ),
    },
    { id: 'by', header: t('links.column.by'), text: ({ by }) => by, width: 190, cell: ({ by }) => by },
    {
      id: 'actions',
      header: t('links.column.actions'),
      phone: 'aside',
      text: () => '',
      width: 90,
      cell: (link) => link.state === 'active' && <EndButton link={link} />,
    },
  ];
}

/** /links: links that show vehicles without sign-in; make and end them (RPM-06). */
export function LinkList(): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const isMain = useSession().role === 'main';
  const navigate = useNavigate({ from: '/links' });
  const { device, group } = useSearch({ from: '/signed-in/links' });
  const [isAdding, setAdding] = useState(false);
  const [created, setCreated] = useState<NewLink>();
  const columns = useMemo(() => linkColumns(t, isMain), [t, isMain]);
  const list = useList({
    spec: linkList,
    topics: ['links'],
    fetchPage: ({ limit, offset = 0, org }, signal) => fetchLinks({ limit, offset, ...(org !== undefined && { org }) }, signal),
  });
  const close = () => {
    setAdding(false);
    void navigate({ search: ({ device: _device, group: _group, ...rest }) => rest, replace: true });
  };
  const organization = useOrganizationFilter(list.state.search.org);
  return (
    <ListPage
      list={list}
      title={t('links.title')}
      count={(count, total) => t('links.count', { count, shown: total })}
      actions={
        !isMain && (
          <Button variant="filled" leftSection={<IconShare size={16} />} onClick={() => setAdding(true)}>
            {t('links.add.open')}
          </Button>
        )
      }
      note={
        <p className="dim">
          {t('links.hint')} {isMain && t('links.hintMain')}
        </p>
      }
      tools={<ListChips list={list} filters={[organization]} />}
      caption={t('links.caption')}
      columns={columns}
      rowId={({ id }) => id}
    >
      {(isAdding || device !== undefined || group !== undefined) && created === undefined && (
        <ShareDialog
          device={device}
          group={group}
          onClose={close}
          onCreated={(made) => {
            setCreated(made);
            list.reload();
          }}
        />
      )}
      {created !== undefined && (
        <SecretDialog
          title={t('links.secret.title', { name: nameOf(t, created.link) })}
          once={t('links.secret.once')}
          label={t('links.secret.label')}
          secret={created.address}
          done={t('links.secret.done')}
          onClose={() => {
            setCreated(undefined);
            close();
          }}
        >
          <p>{t('links.secret.until', { time: formatDateTime(new Date(created.link.expires), zone) })}</p>
        </SecretDialog>
      )}
    </ListPage>
  );
}
