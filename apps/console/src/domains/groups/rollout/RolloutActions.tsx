import type { rollouts } from '@highline/contract';
import { Button } from '../../../ui/controls/Button.tsx';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useQueryClient } from '@tanstack/react-query';
import { useAction } from '../../../api/useAction.ts';
import { confirmAction } from '../../../ui/dialogs.ts';
import { formatNumber } from '../../../ui/time/format.ts';
import { toast } from '../../../ui/toasts.ts';
import { retryable } from './rollout.ts';
import { type Rollout, controlRollout, type RolloutAction } from './rollouts.api.ts';

/** The possible actions of a rollout in its current state. */
function possible(rollout: Rollout): readonly RolloutAction[] {
  if (rollout.state === 'cancelled') return [];
  const done = rollout.total > 0 && rollout.states.successful === rollout.total;
  return [
    ...(retryable(rollout) > 0 ? (['retry'] as const) : []),
    ...(rollout.state === 'paused' ? (['resume'] as const) : done ? [] : (['pause'] as const)),
    ...(done ? [] : (['cancel'] as const)),
  ];
}

/** What follows when failed routers are retried. */
function afterRetry({ state, schedule, kind }: Rollout) {
  if (state === 'paused') return 'paused';
  return schedule === 'bootup' ? schedule : kind;
}

interface RolloutActionsProps {
  readonly rollout: Rollout;
  readonly title: string;
  /** See `RolloutPanel`. */
  readonly onAgain: ((kind: rollouts.BindingKind) => void) | undefined;
}

/** Pause, Resume, Cancel, Retry exactly the failed, each explains its effect first; a cancelled one of a file is begun again in the form. */
export function RolloutActions({ rollout, title, onAgain }: RolloutActionsProps): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const failed = { count: retryable(rollout), shown: formatNumber(retryable(rollout)) };
  const control = useAction<RolloutAction, void>({
    run: (action) => controlRollout(rollout.id, action),
    onDone: (_nothing, action) => {
      toast(t(action === 'retry' && rollout.state === 'paused' ? 'rollouts.done.retryPaused' : `rollouts.done.${action}`));
      void client.invalidateQueries({ queryKey: ['rollouts'] });
    },
  });
  const labelOf = (action: RolloutAction) =>
    action === 'retry' ? t('rollouts.action.retry', failed) : t(`rollouts.action.${action}`);
  const confirm = async (action: RolloutAction) => {
    const sure = await confirmAction({
      title,
      text:
        action === 'retry'
          ? t('rollouts.confirm.retry', { ...failed, effect: t(`rollouts.retryEffect.${afterRetry(rollout)}`) })
          : t(`rollouts.confirm.${action}`),
      yes: labelOf(action),
      no: t('ui.cancel'),
      effect: action === 'cancel' ? 'disruptive' : 'ordinary',
    });
    if (sure) control.run(action);
  };
  const { kind, state } = rollout;
  if (state === 'cancelled' && kind !== 'settings' && onAgain !== undefined)
    return <Button onClick={() => onAgain(kind)}>{t('rollouts.action.again')}</Button>;
  return possible(rollout).map((action) => (
    <Button key={action} disabled={control.busy} onClick={() => void confirm(action)}>
      {labelOf(action)}
    </Button>
  ));
}
