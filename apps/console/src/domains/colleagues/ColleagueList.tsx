import { Button } from '../../ui/controls/Button.tsx';
import { IconPlus } from '@tabler/icons-react';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { useTranslation } from '#i18n';
import { ListBar, MOST_IN_JOB } from '../../api/ListBar.tsx';
import { ListPage } from '../../api/ListPage.tsx';
import { type DeleteProps, DeleteRows } from '../../api/useDeletion.tsx';
import { useList } from '../../api/useList.ts';
import { useSession } from '../../api/session.ts';
import { sentences } from '../../ui/sentences.ts';
import { useSelection } from '../../ui/list/useSelection.ts';
import { useRemoval } from '../../entities/jobs/useRemoval.ts';
import { AccessMenu, useLeaves } from '../users/index.ts';
import { AddDialog } from './AddDialog.tsx';
import { type Colleague, deleteColleagues, fetchColleagues } from './colleagues.api.ts';
import './colleagues.css';
import { colleagueList } from './colleagues.lists.ts';
import { colleagueColumns } from './columns.tsx';

const idOf = (colleague: Colleague) => colleague.id;
const nameOf = ({ email }: Colleague) => email;

/** Deletes the selected colleagues, whose sessions end immediately. */
function DeleteColleagues({ selection, reload, inBar }: DeleteProps<Colleague>): ReactNode {
  const { t } = useTranslation();
  const remove = useRemoval('colleagues');
  const leaves = useLeaves();
  const ids = [...selection.selected.keys()];
  return (
    <DeleteRows
      inBar={inBar}
      selection={selection}
      reload={reload}
      question={t('colleagues.remove.question')}
      nameOf={({ email }) => email}
      means={async () => sentences([t('colleagues.remove.means'), await leaves(ids)])}
      yes={t('colleagues.remove.enter')}
      job={(picked) => remove(picked.map(idOf))}
      run={deleteColleagues}
      // Some may be deleted despite the failure, so the list is refreshed.
      onError={(_, { leave }) => {
        leave();
        return false;
      }}
      count={(number) => t('colleagues.remove.count', { number })}
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
  const selection = useSelection(idOf, reason, 'always', nameOf);
  const list = useList({
    spec: colleagueList,
    topics: ['accounts'],
    fetchPage: fetchColleagues,
  });
  const isAlone = !list.state.filtered && list.response?.total === 1;
  return (
    <ListPage
      list={list}
      title={t('colleagues.title')}
      count={(count, shown) => t('colleagues.count', { count, shown })}
      actions={
        <>
          <AccessMenu />
          <DeleteColleagues selection={selection} reload={list.reload} />
          <Button variant="filled" leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
            {t('colleagues.add.open')}
          </Button>
        </>
      }
      note={
        isAlone && (
          <p className="note" role="status">
            {t('colleagues.alone')}
          </p>
        )
      }
      caption={t('colleagues.caption')}
      columns={columns}
      rowId={idOf}
      bar={
        <ListBar list={list} selection={selection} most={MOST_IN_JOB} file={{ name: 'Colleagues_export.csv', columns }}>
          <DeleteColleagues selection={selection} reload={list.reload} inBar />
        </ListBar>
      }
      selection={selection}
      fieldLabel={(field) => t(`colleagues.field.${field}`)}
    >
      {isAdding && (
        <AddDialog
          onClose={() => setAdding(false)}
          onAdded={() => {
            setAdding(false);
            list.reload();
          }}
        />
      )}
    </ListPage>
  );
}
