import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '#i18n';
import { useAction } from '../../../api/useAction.ts';
import { confirmAction } from '../../../ui/dialogs.ts';
import { toast } from '../../../ui/toasts.ts';
import { resetSecondFactor } from './second-factor.api.ts';

/** Confirm, turn off the second factor of a user who lost it, and report it; `queryKey` is refetched afterwards. */
export function useResetFactor(user: { readonly id: string; readonly email: string }, queryKey: readonly unknown[]) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const reset = useAction<string, void>({
    run: resetSecondFactor,
    onDone: () => {
      toast(t('users.secondFactor.resetDone'));
      void client.invalidateQueries({ queryKey });
    },
  });
  const confirm = async () => {
    const sure = await confirmAction({
      title: t('users.secondFactor.reset'),
      text: t('users.secondFactor.resetQuestion', { email: user.email }),
      yes: t('users.secondFactor.reset'),
      no: t('ui.cancel'),
      effect: 'ordinary',
    });
    if (sure) reset.run(user.id);
  };
  return { confirm: () => void confirm(), busy: reset.busy };
}
