import type { rollouts } from '@highline/contract';
import { IconAlertTriangle, IconPlayerPause, IconX } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from '#i18n';
import { StatusDot } from '../../../ui/StatusDot.tsx';
import { formatDateTime, formatNumber } from '../../../ui/time/format.ts';
import { useZone } from '../../../ui/time/zone.ts';
import './rollout.css';
import { barOrder, finished, retryable, stateTones } from './rollout.ts';
import { RolloutActions } from './RolloutActions.tsx';
import type { Rollout, TargetState } from './rollouts.api.ts';
import { TargetTable } from './TargetTable.tsx';
import { Waves } from './Waves.tsx';

function useTitle({ kind, name, version }: Rollout): string {
  const { t } = useTranslation();
  if (kind === 'settings') return t('rollouts.title.settings', { name });
  return t(`rollouts.title.${kind}`, { name: version === null ? name : t('rollouts.configVersion', { name, version }) });
}

/** Schedule, author, start time, and failure threshold. */
function About({ rollout }: { rollout: Rollout }): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const { schedule, postpone, created, by, failureThreshold, canaries, waves, window } = rollout;
  const facts = [
    t(by === '' ? 'rollouts.startedAt' : 'rollouts.started', { time: formatDateTime(created, zone), who: by }),
    postpone === null ? t(`rollouts.schedule.${schedule}`) : t('rollouts.postponed', { time: formatDateTime(postpone, zone) }),
    ...(window === null ? [] : [t('rollouts.limited')]),
    t('rollouts.threshold', { percent: failureThreshold }),
    ...(canaries === 0 || waves !== null ? [] : [t('rollouts.canaries', { count: canaries, shown: formatNumber(canaries) })]),
  ];
  return (
    <p className="dim">
      {facts.join(' · ')}
      <FailedShare rollout={rollout} />
    </p>
  );
}

/** '25% failed, over your 20%' once a router failed. */
function FailedShare({ rollout }: { rollout: Rollout }): ReactNode {
  const { t } = useTranslation();
  const failed = retryable(rollout);
  if (failed === 0) return null;
  const share = (100 * failed) / finished(rollout);
  const isOver = share > rollout.failureThreshold;
  // One decimal: 20.4% is above a limit of 20%.
  const shown = formatNumber(Math.round(share * 10) / 10);
  return (
    <>
      {' · '}
      <span className={isOver ? 'bad' : undefined}>
        {t(isOver ? 'rollouts.share.over' : 'rollouts.share.within', { shown, percent: rollout.failureThreshold })}
      </span>
    </>
  );
}

/** Why it is paused or cancelled. */
function Banner({ rollout }: { rollout: Rollout }): ReactNode {
  const { t } = useTranslation();
  const { state, pausedReason, failureThreshold } = rollout;
  if (state === 'cancelled') {
    return (
      <p className="note" role="status">
        <IconX size={18} />
        {t('rollouts.cancelled')}
      </p>
    );
  }
  if (state !== 'paused') return null;
  if (pausedReason !== 'threshold') {
    return (
      <p className="note note--warn" role="status">
        <IconPlayerPause size={18} />
        {t('rollouts.paused.person')}
      </p>
    );
  }
  const [failed, of] = [formatNumber(retryable(rollout)), formatNumber(finished(rollout))];
  return (
    <p className="note note--bad" role="alert">
      <IconAlertTriangle size={18} />
      {t('rollouts.paused.threshold', { percent: failureThreshold, failed, finished: of })}
    </p>
  );
}

/** Routers that it does not reach any more, and what to do about them. */
function Outdated({ rollout: { outdated, state } }: { rollout: Rollout }): ReactNode {
  const { t } = useTranslation();
  if (!(outdated > 0) || state === 'cancelled') return null;
  return (
    <p className="note note--warn" role="status">
      <IconAlertTriangle size={18} />
      {t('rollouts.outdated', { count: outdated, shown: formatNumber(outdated) })}
    </p>
  );
}

function Bar({ rollout }: { rollout: Rollout }): ReactNode {
  return (
    <div className="rollout-bar drawn" aria-hidden="true">
      {barOrder.map(
        (state) =>
          rollout.states[state] > 0 && (
            <span key={state} data-tone={stateTones[state]} style={{ flexGrow: rollout.states[state] }} />
          ),
      )}
    </div>
  );
}

interface ChipsProps {
  readonly rollout: Rollout;
  readonly state: TargetState | undefined;
  readonly onState: (state: TargetState | undefined) => void;
}

/** How many routers are in each state; a click shows only those, a second one all again. */
function Chips({ rollout, state: shown, onState }: ChipsProps): ReactNode {
  const { t } = useTranslation();
  return (
    <div className="rollout-chips">
      {barOrder.map((state) => {
        const count = rollout.states[state];
        if (count === 0 && shown !== state) return null;
        const word = t(`rollouts.state.${state}`);
        return (
          <button
            key={state}
            type="button"
            className="rollout-chip"
            aria-pressed={shown === state}
            title={t('rollouts.filterBy', { state: word })}
            onClick={() => onState(shown === state ? undefined : state)}
          >
            <StatusDot tone={stateTones[state]}>{t('rollouts.chip', { shown: formatNumber(count), state: word })}</StatusDot>
          </button>
        );
      })}
    </div>
  );
}

export interface RolloutPanelProps extends ChipsProps {
  /** For people who only look. */
  readonly isReadOnly?: boolean;
  /** Begin the cancelled rollout of a file again; left out = elsewhere. */
  readonly onAgain?: (kind: rollouts.BindingKind) => void;
}

/** One rollout: its progress, why it is paused, its routers, and its actions (GRP-10, TPL-03). */
export function RolloutPanel({ rollout, state, onState: show, isReadOnly = false, onAgain }: RolloutPanelProps): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const title = useTitle(rollout);
  return (
    <section className="card rollout" aria-labelledby={id}>
      <header className="rollout__head">
        <div className="rollout__titles">
          <h2 id={id}>{title}</h2>
          <About rollout={rollout} />
        </div>
        {!isReadOnly && (
          <div className="rollout__actions">
            <RolloutActions rollout={rollout} title={title} onAgain={onAgain} />
          </div>
        )}
      </header>
      <div className="rollout__progress">
        <Banner rollout={rollout} />
        <Outdated rollout={rollout} />
        <p className="rollout__count">
          <strong className="num">
            {t('rollouts.successfulOf', {
              done: formatNumber(rollout.states.successful),
              total: formatNumber(rollout.total),
            })}
          </strong>{' '}
          <span className="dim">{t('rollouts.successful')}</span>
        </p>
        <Bar rollout={rollout} />
        <Chips rollout={rollout} state={state} onState={show} />
        <Waves rollout={rollout} title={title} isReadOnly={isReadOnly} />
        {rollout.state === 'running' && rollout.offline > 0 && rollout.outdated === 0 && (
          <p className="dim">{t('rollouts.ofWaitingOffline', { shown: formatNumber(rollout.offline) })}</p>
        )}
      </div>
      <TargetTable rollout={rollout} state={state} onState={show} />
    </section>
  );
}
