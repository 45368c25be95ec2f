import { Textarea } from '../../ui/controls/TextInput.tsx';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../api/useAction.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { formatNumber } from '../../ui/time/format.ts';
import { toast } from '../../ui/toasts.ts';
import { acknowledgeAlerts } from './alerts.api.ts';

/** A note for everyone, and the acknowledgement of the selected alerts (ALR-03). */
export function AcknowledgeDialog({
  ids,
  count: firing,
  onClose,
  onDone,
}: {
  /** Of alerts or storms. */
  ids: readonly string[];
  /** How many alerts that is. */
  count: number;
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const [note, setNote] = useState('');
  const action = useAction<void, number>({
    run: () => acknowledgeAlerts(ids, note),
    onDone: (count) => {
      toast(t('alerts.acknowledge.done', { count, shown: formatNumber(count) }));
      onDone();
    },
  });
  return (
    <FormDialog
      title={t('alerts.acknowledge.title', { count: firing, shown: formatNumber(firing) })}
      submit={t('alerts.acknowledge.open')}
      busy={action.busy}
      onClose={onClose}
      onSubmit={() => action.run()}
    >
      <p className="dim">{t('alerts.acknowledge.means')}</p>
      <Textarea
        label={t('alerts.acknowledge.note')}
        rows={3}
        maxLength={500}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
