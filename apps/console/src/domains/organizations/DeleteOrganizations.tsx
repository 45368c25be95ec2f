import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { DeleteRows } from '../../api/useDeletion.tsx';
import { useErrorText } from '../../api/useErrorText.ts';
import { useNotAllowed } from '../../api/useNotAllowed.ts';
import { showMessage } from '../../ui/dialogs.ts';
import type { Selection } from '../../ui/list/useSelection.ts';
import { formatNumber } from '../../ui/time/format.ts';
import { useRemoval } from '../../entities/jobs/useRemoval.ts';
import { type Deletion, deleteOrganizations, type Organization } from './organizations.api.ts';

/** The text to type, in every language (ORG-02). */
const WORD = 'DELETE ORG';

export interface DeleteOrganizationsProps {
  readonly selection: Selection<Organization>;
  readonly reload: () => void;
  /** In the bar of the selection. */
  readonly inBar?: boolean;
}

/** One line per organization, so that the result of each is clear. */
function useResult(): (deletions: readonly Deletion[]) => Promise<void> {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return (deletions) => {
    const count = deletions.filter(({ error }) => error === undefined).length;
    return showMessage({
      title: t('organizations.remove.resultTitle'),
      text: t('organizations.remove.result', { count, shown: formatNumber(count) }),
      items: deletions.map(({ name, devices = 0, error }) =>
        error === undefined
          ? t('organizations.remove.devices', { name, count: devices, shown: formatNumber(devices) })
          : t('organizations.remove.failed', { name, reason: errorText(error) }),
      ),
    });
  };
}

/** Deletes organizations one after another after the text was typed, and reports the result of each (ORG-02). */
export function DeleteOrganizations({ selection, reload, inBar }: DeleteOrganizationsProps): ReactNode {
  const { t } = useTranslation();
  const showResult = useResult();
  const remove = useRemoval('organizations');
  const notAllowed = useNotAllowed('organizations.delete');
  return (
    <DeleteRows
      inBar={inBar}
      notAllowed={notAllowed}
      selection={selection}
      reload={reload}
      question={t('organizations.remove.question')}
      nameOf={({ name }) => name}
      means={t('organizations.remove.means')}
      yes={t('organizations.remove.enter')}
      typed={{ title: t('organizations.remove.typeTitle'), text: t('organizations.remove.type', { word: WORD }), word: WORD }}
      job={(picked) => remove(picked.map(({ id }) => id))}
      run={deleteOrganizations}
      onDone={(deletions) => void showResult(deletions)}
      count={(number) => t('organizations.remove.count', { number })}
    />
  );
}
