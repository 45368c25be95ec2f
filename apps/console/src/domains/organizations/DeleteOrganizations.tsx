import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { askYesNo, showMessage } from '../../ui/dialogs.ts';
import type { Selection } from '../../ui/list/useSelection.ts';
import { formatNumber } from '../../ui/time/format.ts';
import { TypedConfirm } from '../../ui/TypedConfirm.tsx';
import { type Deletion, deleteOrganizations, type Organization } from './organizations.api.ts';

/** What must be typed, in every language (ORG-02). */
const WORD = 'DELETE ORG';

export interface DeleteOrganizationsProps {
  readonly selection: Selection<Organization>;
  readonly reload: () => void;
}

/** One line for each organization, so that nobody has to guess which one stayed. */
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

/** Say what deleting means, take the word, delete one after another, and tell what became of each (ORG-02). */
function useDelete({ selection, reload }: DeleteOrganizationsProps) {
  const { t } = useTranslation();
  const showResult = useResult();
  const [typing, setTyping] = useState(false);
  const picked = [...selection.selected.values()];
  const end = () => {
    selection.leave();
    reload();
  };
  const remove = useAction<readonly Organization[], readonly Deletion[]>({
    run: deleteOrganizations,
    onDone: (deletions) => {
      setTyping(false);
      end();
      void showResult(deletions);
    },
  });
  const ask = async () => {
    const sure = await askYesNo({
      title: t('ui.dialog.warningTitle'),
      text: t('organizations.remove.question'),
      items: picked.map(({ name }) => name),
      warning: `${t('organizations.remove.means')} ${t('ui.dialog.permanent')}`,
      yes: t('organizations.remove.enter'),
      no: t('ui.cancel'),
      danger: true,
    });
    if (sure) setTyping(true);
  };
  const dialog = typing && (
    <TypedConfirm
      title={t('organizations.remove.typeTitle')}
      text={t('organizations.remove.type', { word: WORD })}
      word={WORD}
      confirm={t('organizations.remove.enter')}
      busy={remove.busy}
      onClose={() => setTyping(false)}
      onConfirm={() => remove.run(picked)}
    />
  );
  return { ask: () => void ask(), busy: remove.busy, end, dialog };
}

/** Enters the delete mode; in it, Delete(n) and Cancel (SHR-07). */
export function DeleteOrganizations(props: DeleteOrganizationsProps): ReactNode {
  const { selection } = props;
  const { t } = useTranslation();
  const remove = useDelete(props);
  const number = selection.selected.size;
  if (!selection.active) {
    return (
      <Button leftSection={<IconTrash size={16} />} onClick={selection.enter}>
        {t('organizations.remove.enter')}
      </Button>
    );
  }
  return (
    <>
      <Button onClick={remove.end}>{t('ui.cancel')}</Button>
      <ActionButton
        variant="filled"
        color="danger"
        loading={remove.busy}
        disabledReason={number === 0 ? t('ui.dialog.selectFirst') : undefined}
        onClick={remove.ask}
      >
        {t('organizations.remove.count', { number })}
      </ActionButton>
      {remove.dialog}
    </>
  );
}
