import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { DeleteRows } from '../../api/useDeletion.tsx';
import { useErrorText } from '../../api/useErrorText.ts';
import { showMessage } from '../../ui/dialogs.ts';
import type { Selection } from '../../ui/list/useSelection.ts';
import { useRemoval } from '../../entities/jobs/useRemoval.ts';
import { useLeaves } from './useLeaves.ts';
import { deleteUsers, DeletionError, namesNoUser, type Person, type Rejection } from './users.api.ts';

/** Deletes the picked users, and names those that could not be deleted in one error, by reason (USR-04). */
export function DeleteUsers({
  selection,
  reload,
  inBar,
}: {
  selection: Selection<Person>;
  reload: () => void;
  /** In the bar of the selection. */
  inBar?: boolean;
}): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const remove = useRemoval('users');
  const leaves = useLeaves();
  const ids = [...selection.selected.keys()];
  return (
    <DeleteRows
      inBar={inBar}
      selection={selection}
      reload={reload}
      question={t('users.remove.question')}
      nameOf={({ email }) => email}
      means={() => leaves(ids)}
      yes={t('users.remove.enter')}
      job={(picked) => remove(picked.map(({ id }) => id))}
      run={deleteUsers}
      onError={(error, { leave }) => {
        if (!(error instanceof DeletionError)) return false;
        const reasonOf = ({ error: why }: Rejection) => (namesNoUser(why) ? t('users.remove.invalid') : errorText(why));
        const byReason = Map.groupBy(error.rejections, reasonOf);
        void showMessage({
          title: t('ui.dialog.errorTitle'),
          text: t('users.remove.someStayed'),
          items: [...byReason].map(([reason, those]) =>
            t('users.remove.failed', { reason, emails: those.map(({ email }) => email).join(t('ui.between')) }),
          ),
        });
        leave();
        return true;
      }}
      count={(number) => t('users.remove.count', { number })}
    />
  );
}
