import { rollouts } from '@highline/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { isSame } from '../../api/useKeptDraft.ts';
import { formatNumber } from '../../ui/time/format.ts';
import { useZone } from '../../ui/time/zone.ts';
import {
  emptyRollout,
  FirstEffect,
  FirstWaveField,
  impactQuery,
  isWaveHours,
  noMoves,
  noRolloutBefore,
  type RolloutDraft,
  rolloutInput,
  SafetyLimitField,
  safetyLimitFault,
  sharePresets,
  useFirstWave,
  WaveFields,
} from '../groups/index.ts';
import type { RolloutOptions } from './settings.api.ts';
import '../groups/form/group-form.css';
import './router-settings.css';

interface Limits {
  readonly canaries: number | null;
  readonly failureThreshold: number | null;
}

/** Values that can cut vehicles off are tried on so many first; if all of them fail, the rollout pauses itself. */
const TRIED_FIRST = 5;

const noLimits: Limits = { canaries: null, failureThreshold: null };

/** The options of a rollout of settings while they are chosen. */
export interface RolloutChoice {
  readonly draft: RolloutDraft;
  readonly limits: Limits;
  readonly change: (part: Partial<RolloutDraft>) => void;
  readonly changeLimits: (part: Partial<Limits>) => void;
  /** Whether something was chosen. */
  readonly isTyped: boolean;
  /** As the call takes them. */
  readonly options: RolloutOptions;
  /** Why it cannot begin with them. */
  readonly problem: string | undefined;
}

/** The options of a rollout of settings, while they are chosen. @param isCutting whether a wrong value can cut vehicles off */
export function useRolloutChoice(group: string | undefined, isCutting: boolean): RolloutChoice {
  const { t } = useTranslation();
  const zone = useZone();
  const [draft, setDraft] = useState(emptyRollout);
  const [limits, setLimits] = useState(noLimits);
  const { first, problem } = useFirstWave(group, draft);
  const canaries = limits.canaries ?? (isCutting ? TRIED_FIRST : rollouts.DEFAULT_CANARIES);
  const isByCount = draft.first === 'count';
  const hasWaves = !isByCount || canaries > 0 || sharePresets[draft.shares].length > 0;
  const faults = [
    problem,
    draft.rule === 'hours' && !isWaveHours(draft.hours)
      ? t('rolloutOptions.goOn.hoursRange', { most: formatNumber(rollouts.MAX_WAVE_HOURS) })
      : undefined,
    draft.rule !== 'success' && !hasWaves ? t('rolloutOptions.goOn.needsFirst') : undefined,
    safetyLimitFault('canaries', limits.canaries) || safetyLimitFault('failureThreshold', limits.failureThreshold)
      ? t('routerSettings.fixFirst')
      : undefined,
  ];
  const { waves, first: named } = rolloutInput(draft, first, zone, noRolloutBefore);
  return {
    draft,
    limits,
    change: (part) => setDraft((before) => ({ ...before, ...part })),
    changeLimits: (part) => setLimits((before) => ({ ...before, ...part })),
    isTyped: !isSame({ draft, limits }, { draft: emptyRollout, limits: noLimits }),
    options: {
      ...(named === undefined ? {} : { first: named }),
      ...(waves ? { waves } : {}),
      ...(isByCount && canaries > 0 ? { canaries } : {}),
      ...(limits.failureThreshold === null ? {} : { failureThreshold: limits.failureThreshold }),
    },
    problem: faults.find((each) => each !== undefined),
  };
}

export interface RolloutFieldsProps {
  readonly group: string | undefined;
  readonly isCutting: boolean;
  readonly choice: RolloutChoice;
}

/** What goes first, how it goes on, and what stops it (TPL-03, WIN-01); next to it which vehicles that are. */
export function RolloutFields({ group, isCutting, choice }: RolloutFieldsProps): ReactNode {
  const { t } = useTranslation();
  const { draft, limits, change, changeLimits, options, problem } = choice;
  const limit = { group: undefined, kinds: [], values: limits, onChange: changeLimits } as const;
  const { failureThreshold: _, ...effect } = options;
  const hasFirst = Object.keys(effect).length > 0;
  const level = group === undefined ? ({ whole: true } as const) : { group };
  const impact = useQuery({ ...impactQuery({ ...level, ...effect }), enabled: hasFirst && problem === undefined }).data;
  return (
    <details className="setting-rollout" open={isCutting}>
      <summary>{t('routerSettings.review.rollout')}</summary>
      <div className="setting-rollout__columns">
        <fieldset className="rollout-options" aria-label={t('routerSettings.review.rollout')}>
          <FirstWaveField
            group={group}
            moves={noMoves}
            canName={group !== undefined}
            draft={draft}
            onChange={change}
            count={<SafetyLimitField limit="canaries" {...limit} usual={isCutting ? TRIED_FIRST : rollouts.DEFAULT_CANARIES} />}
          />
          <WaveFields draft={draft} onChange={change} />
          <SafetyLimitField limit="failureThreshold" {...limit} usual={rollouts.DEFAULT_FAILURE_THRESHOLD} />
        </fieldset>
        <div aria-live="polite">
          {problem !== undefined && <p className="bad">{problem}</p>}
          {problem === undefined && hasFirst && <FirstEffect first={impact?.first} rollout={draft} />}
          {problem === undefined && !hasFirst && <p className="dim">{t('routerSettings.review.allAtOnce')}</p>}
        </div>
      </div>
    </details>
  );
}
