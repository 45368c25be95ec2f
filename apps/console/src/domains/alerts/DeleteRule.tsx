import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../api/useAction.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { confirmAction } from '../../ui/dialogs.ts';
import { toast } from '../../ui/toasts.ts';
import { deleteRule, type Rule } from './alerts.api.ts';

export function DeleteRule({ rule, onClose }: { rule: Rule; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const remove = useAction<void, boolean>({
    run: async () => {
      const question = { title: t('alerts.rules.delete'), text: t('alerts.rules.deleteQuestion', { name: rule.name }) };
      const means = t('alerts.rules.deleteMeans');
      const isSure = await confirmAction({
        ...question,
        means,
        yes: t('alerts.rules.delete'),
        no: t('ui.cancel'),
        effect: 'permanent',
      });
      if (isSure) await deleteRule(rule);
      return isSure;
    },
    onDone: (isDone) => {
      if (!isDone) return;
      toast(t('ui.done.deleted'));
      onClose();
    },
  });
  return (
    <div>
      <ActionButton color="danger" loading={remove.busy} onClick={() => remove.run()}>
        {t('alerts.rules.delete')}
      </ActionButton>
    </div>
  );
}
