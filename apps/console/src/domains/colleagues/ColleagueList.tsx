import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ListCount } from '../../api/ListCount.tsx';
import { ListTools } from '../../api/ListTools.tsx';
import { useDeletion } from '../../api/useDeletion.tsx';
import { type List, tableOf, useList } from '../../api/useList.ts';
import { useSession } from '../../session/session.ts';
import { DeleteMode } from '../../ui/list/DeleteMode.tsx';
import { type Selection, useSelection } from '../../ui/list/useSelection.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { AddDialog } from './AddDialog.tsx';
import { type Colleague, deleteColleagues, fetchColleagues } from './colleagues.api.ts';
import './colleagues.css';
import { colleagueList } from './colleagues.lists.ts';
import { colleagueColumns } from './columns.tsx';

type Colleagues = List<typeof colleagueList, Colleague>;

const idOf = (colleague: Colleague) => colleague.id;

/** Deletes the selected colleagues, whose sessions end immediately. */
function DeleteColleagues({ selection, reload }: { selection: Selection<Colleague>; reload: () => void }): ReactNode {
  const { t } = useTranslation();
  const deletion = useDeletion({
    selection,
    reload,
    question: t('colleagues.remove.question'),
    nameOf: ({ email }) => email,
    means: t('colleagues.remove.means'),
    yes: t('colleagues.remove.enter'),
    run: deleteColleagues,
    // Some may be deleted despite the failure, so the list is refreshed.
    onError: (_, leave) => {
      leave();
      return false;
    },
  });
  return (
    <DeleteMode
      selection={selection}
      enter={t('colleagues.remove.enter')}
      count={(number) => t('colleagues.remove.count', { number })}
      deletion={deletion}
    />
  );
}

/** /colleagues: the main account's own people. */
export function ColleagueList(): ReactNode {
  const { t } = useTranslation();
  const { id: self } = useSession();
  const [isAdding, setAdding] = useState(false);
  const columns = useMemo(() => colleagueColumns(t, self), [t, self]);
  const reason = useCallback(({ id }: Colleague) => (id === self ? t('colleagues.remove.isSelf') : undefined), [self, t]);
  const selection = useSelection(idOf, reason);
  const list: Colleagues = useList({
    spec: colleagueList,
    topics: ['accounts'],
    fetchPage: fetchColleagues,
  });
  const isAlone = !list.state.filtered && list.answer?.total === 1;
  return (
    <div className="page page--list">
      <PageHeader
        title={t('colleagues.title')}
        sub={<ListCount list={list} text={(count, shown) => t('colleagues.count', { count, shown })} />}
        actions={
          <>
            <DeleteColleagues selection={selection} reload={list.reload} />
            <Button variant="filled" leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
              {t('colleagues.add.open')}
            </Button>
          </>
        }
      />
      {isAlone && (
        <p className="note" role="status">
          {t('colleagues.alone')}
        </p>
      )}
      <DataTable
        {...tableOf(colleagueList, list)}
        caption={t('colleagues.caption')}
        columns={columns}
        rowId={idOf}
        selection={selection}
        tools={
          <ListTools spec={colleagueList} list={list} columns={columns} fieldLabel={(field) => t(`colleagues.field.${field}`)} />
        }
      />
      {isAdding && (
        <AddDialog
          onClose={() => setAdding(false)}
          onAdded={() => {
            setAdding(false);
            list.reload();
          }}
        />
      )}
    </div>
  );
}
