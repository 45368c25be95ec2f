import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { useTranslation } from '#i18n';
import { ListBar, MOST_IN_JOB } from '../../api/ListBar.tsx';
import { ListTools } from '../../api/ListTools.tsx';
import { useAction, useShowError } from '../../api/useAction.ts';
import { type List, tableOf, useList } from '../../api/useList.ts';
import { useRemoval } from '../../entities/jobs/useRemoval.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { confirmAction } from '../../ui/dialogs.ts';
import { type Selection, useSelection } from '../../ui/list/useSelection.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { toast } from '../../ui/toasts.ts';
import type { Subscription } from './notification.ts';
import { fetchRecipients, removeRecipients } from './notifications.api.ts';
import { recipientList } from './notifications.lists.ts';
import { recipientColumns } from './recipient-columns.tsx';

type Recipients = List<typeof recipientList, Subscription>;

/** A saved address; a new object for each save. */
export interface Saved {
  readonly mail: string;
}

const idOf = ({ mail }: Subscription) => mail;

/** Removes the selected addresses as one job. */
function RemoveChosen({
  selection,
  reload,
  onRemoved,
}: {
  selection: Selection<Subscription>;
  reload: () => void;
  onRemoved: (mail: string) => void;
}): ReactNode {
  const { t } = useTranslation();
  const showError = useShowError();
  const mails = [...selection.selected.keys()];
  const removal = useRemoval('notifications');
  const remove = useAction<readonly string[], () => void>({
    run: (chosen) => removal(chosen),
    onDone: (show, removed) => {
      selection.leave();
      removed.forEach(onRemoved);
      reload();
      show();
    },
  });
  const confirm = async () => {
    const sure = await confirmAction({
      title: t('ui.dialog.warningTitle'),
      text: t('notifications.removeChosen', { count: mails.length }),
      items: mails,
      yes: t('ui.selection.delete', { number: mails.length }),
      no: t('ui.cancel'),
      effect: 'permanent',
    });
    if (sure) remove.run(mails);
  };
  return (
    <ActionButton color="danger" loading={remove.busy} onClick={() => void confirm().catch(showError)}>
      {t('ui.selection.delete', { number: mails.length })}
    </ActionButton>
  );
}

export interface RecipientListProps {
  /** Absent: rows are to be looked at. */
  readonly onEdit?: ((subscription: Subscription) => void) | undefined;
  readonly onRemoved: (mail: string) => void;
  /** The address that was just saved. */
  readonly saved: Saved | undefined;
}

/** After a save, the row of that address is in sight and has the focus; a row on another page is searched for. */
function useShown(saved: Saved | undefined, list: Recipients) {
  const root = useRef<HTMLDivElement>(null);
  const done = useRef<Saved>(undefined);
  const { rows, fetching } = list.source;
  const { search, change } = list.state;
  useEffect(() => {
    if (saved === undefined || done.current === saved || rows === undefined || fetching) return;
    const row = root.current?.querySelector<HTMLElement>(`tr[data-row="${CSS.escape(saved.mail)}"]`) ?? undefined;
    if (row === undefined && search.search !== saved.mail) {
      change({ search: saved.mail }, true);
      return;
    }
    done.current = saved;
    row?.scrollIntoView({ block: 'nearest' });
    row?.focus({ preventScroll: true });
  }, [saved, rows, fetching, search.search, change]);
  return root;
}

/** The recipients with their notifications, and the actions to edit and remove them (SVC-02). */
export function RecipientList({ onEdit, onRemoved, saved }: RecipientListProps): ReactNode {
  const { t } = useTranslation();
  const list = useList({
    spec: recipientList,
    topics: ['notifications', 'accounts'],
    fetchPage: fetchRecipients,
  });
  const { reload } = list;
  const selection = useSelection(idOf, undefined, 'always', idOf);
  const root = useShown(saved, list);
  const { run } = useAction<string, void>({
    run: (mail) => removeRecipients([mail]),
    onDone: (_none, mail) => {
      toast(t('notifications.removed', { mail }));
      onRemoved(mail);
      reload();
    },
  });
  const columns = useMemo(() => {
    const remove = async (mail: string) => {
      const sure = await confirmAction({
        title: t('notifications.remove', { mail }),
        text: t('notifications.removeQuestion', { mail }),
        yes: t('notifications.removeYes'),
        no: t('ui.cancel'),
        effect: 'permanent',
      });
      if (sure) run(mail);
    };
    return recipientColumns(t, onEdit && { edit: onEdit, remove: (mail) => void remove(mail) });
  }, [t, onEdit, run]);
  return (
    <div ref={root} className="recipients">
      <DataTable
        {...tableOf(list)}
        caption={t('notifications.caption')}
        columns={columns}
        rowId={idOf}
        highlighted={new Set(saved === undefined ? [] : [saved.mail])}
        onOpen={onEdit}
        selection={selection}
        bar={
          <ListBar list={list} selection={selection} most={MOST_IN_JOB} file={{ name: 'Notifications_export.csv', columns }}>
            {onEdit !== undefined && <RemoveChosen selection={selection} reload={reload} onRemoved={onRemoved} />}
          </ListBar>
        }
        tools={
          <>
            <h2 className="recipients__title">{t('notifications.caption')}</h2>
            <ListTools list={list} columns={columns} fieldLabel={() => t('notifications.email')} />
          </>
        }
      />
    </div>
  );
}
