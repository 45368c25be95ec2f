import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../../api/useAction.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { confirmAction } from '../../../ui/dialogs.ts';
import { formatDateTime, formatNumber } from '../../../ui/time/format.ts';
import { useZone } from '../../../ui/time/zone.ts';
import { toast } from '../../../ui/toasts.ts';
import { openWave, type Rollout } from './rollouts.api.ts';

type RolloutWaves = NonNullable<Rollout['waves']>;

/** What the next wave waits for, as a sentence. */
function Waits({ waves: { waits, rule, hours, next } }: { waves: RolloutWaves }): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  if (waits === null) return null;
  if (waits === 'hours' && next !== null) return t('rollouts.waves.waits.hours', { time: formatDateTime(next, zone) });
  if (waits === 'routers' && rule === 'hours') return t('rollouts.waves.waits.success', { count: hours ?? 0 });
  return t(waits === 'hours' ? 'rollouts.waves.waits.routers' : `rollouts.waves.waits.${waits}`);
}

/** Go on with the next wave, or cut back to the one before; each explains its effect first. */
function WaveActions({ rollout, waves, title }: { rollout: Rollout; waves: RolloutWaves; title: string }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { open, waves: all } = waves;
  const move = useAction<number, void>({
    run: (wave) => openWave(rollout.id, wave),
    onDone: (_nothing, wave) => {
      toast(t(wave > open ? 'rollouts.waves.done.continue' : 'rollouts.waves.done.cutBack'));
      void client.invalidateQueries({ queryKey: ['rollouts'] });
    },
  });
  const change = async (wave: number, action: 'continue' | 'cutBack', count: number) => {
    const text = t(`rollouts.waves.confirm.${action}`, { count, shown: formatNumber(count) });
    const yes = t(`rollouts.waves.action.${action}`);
    if (await confirmAction({ title, text, yes, no: t('ui.cancel'), effect: 'ordinary' })) move.run(wave);
  };
  const next = all.findIndex(({ routers }, wave) => wave > open && routers > 0);
  const before = all.findLastIndex(({ routers }, wave) => wave < open && routers > 0);
  return (
    <div className="waves__actions">
      {next > open && (
        <Button disabled={move.busy} onClick={() => void change(next, 'continue', all[next]?.routers ?? 0)}>
          {t('rollouts.waves.action.continue')}
        </Button>
      )}
      {before >= 0 && (
        <Button disabled={move.busy} onClick={() => void change(before, 'cutBack', all[open]?.routers ?? 0)}>
          {t('rollouts.waves.action.cutBack')}
        </Button>
      )}
    </div>
  );
}

/** The waves of a rollout that have routers: how far each is, what the next one waits for, and going on or back (WIN-01). */
export function Waves({ rollout, title, isReadOnly }: { rollout: Rollout; title: string; isReadOnly: boolean }): ReactNode {
  const { t } = useTranslation();
  const { waves } = rollout;
  if (waves === null) return null;
  const isDone = rollout.states.successful === rollout.total;
  return (
    <div className="waves">
      <ol className="waves__list">
        {waves.waves.map(
          ({ routers, successful, failed }, index) =>
            routers > 0 && (
              // oxlint-disable-next-line react/no-array-index-key -- a wave has no other name than its number
              <li
                key={index}
                aria-current={index === waves.open ? 'step' : undefined}
                data-later={index > waves.open || undefined}
              >
                <span>
                  {index === 0 ? t('rollouts.waves.first') : t('rollouts.waves.wave', { number: formatNumber(index + 1) })}
                </span>{' '}
                <strong className="num">
                  {t('rollouts.successfulOf', { done: formatNumber(successful), total: formatNumber(routers) })}
                </strong>
                {failed > 0 && <span className="bad"> {t('rollouts.waves.failed', { shown: formatNumber(failed) })}</span>}
              </li>
            ),
        )}
      </ol>
      {rollout.state === 'running' && !isDone && (
        <div className="waves__next">
          <p role="status">
            <Waits waves={waves} />
          </p>
          {!isReadOnly && <WaveActions rollout={rollout} waves={waves} title={title} />}
        </div>
      )}
    </div>
  );
}
