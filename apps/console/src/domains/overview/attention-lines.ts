import { diagnoses } from '@highline/contract';
import type { Tone } from '../../ui/StatusDot.tsx';
import type { Attention, Fleet, OfflineSpan } from './attention.api.ts';
import type { Target, Targets } from './targets.ts';

export type AttentionTargets = Pick<Targets, 'devices' | 'groups' | 'alerts' | 'map'>;

interface Line {
  /** Of which devices something was found. */
  readonly diagnosis?: Attention['diagnoses'][number]['kind'];
  /** The first of them by name. */
  readonly first?: Attention['first']['weak'];
  readonly id:
    | 'diagnosis'
    | 'alerts'
    | 'offline'
    | 'rolloutsFailed'
    | 'rolloutsPaused'
    | 'organizationsFailed'
    | 'organizationsPaused'
    | 'sims'
    | 'weak'
    | 'connections'
    | 'positions'
    | 'unsubscribed'
    | 'expiring';
  readonly count: number;
  readonly tone: Tone;
  readonly target: Target;
}

/** One line per kind that has anything, the most urgent first. */
export function linesOf(found: Attention, span: OfflineSpan, targets: AttentionTargets, fleet?: Fleet): readonly Line[] {
  const { devices: list, groups } = targets;
  const rollouts = fleet?.rollouts ?? found.rollouts;
  const { firing, critical } = found.alerts;
  const { first } = found;
  const lines: readonly Line[] = [
    { id: 'alerts', count: firing, tone: critical > 0 ? 'bad' : 'warn', target: targets.alerts() },
    { id: 'offline', count: found.offline.total, tone: 'bad', target: list({ offline: span }) },
    {
      id: fleet === undefined ? 'rolloutsFailed' : 'organizationsFailed',
      count: rollouts.failed,
      first: first.rollouts,
      tone: 'bad',
      target: groups({ rollout: 'failed' }),
    },
    {
      id: fleet === undefined ? 'rolloutsPaused' : 'organizationsPaused',
      count: rollouts.paused,
      tone: 'warn',
      target: groups({ rollout: 'paused' }),
    },
    { id: 'sims', count: found.sims, tone: 'bad', target: list({ sim: 'failed' }), first: first.sims },
    ...diagnosisLines(found, list),
    {
      id: 'connections',
      count: found.connections,
      tone: 'bad',
      target: list({ connection: 'rejected' }),
      first: first.connections,
    },
    {
      id: 'positions',
      count: found.positions,
      tone: 'warn',
      target: list({ position: 'rejected' }),
      first: first.positions,
    },
    { id: 'weak', count: found.weak, tone: 'warn', target: list({ signal: 'weak' }), first: first.weak },
    {
      id: 'unsubscribed',
      count: found.unsubscribed,
      tone: 'bad',
      target: list({ service: 'not-subscribed' }),
      first: first.unsubscribed,
    },
    {
      id: 'expiring',
      count: found.expiring,
      tone: 'warn',
      target: list({ service: 'expiring' }),
      first: first.expiring,
    },
  ];
  return lines.filter(({ count }) => count > 0);
}

/**
 * One line per kind of finding. Rejected positions, and identities that two routers use, have lines of their own; a failed eSIM is not said twice.
 */
function diagnosisLines(found: Attention, list: AttentionTargets['devices']): readonly Line[] {
  const others = found.diagnoses.filter(
    ({ kind, total }) => kind !== 'position' && kind !== 'identity' && (kind !== 'sim' || total > found.sims),
  );
  return others.map(({ kind, total, first }) => ({
    id: 'diagnosis',
    diagnosis: kind,
    first,
    count: total,
    tone: diagnoses[kind].tone,
    target: list({ diagnosis: kind }),
  }));
}

/** What is nothing wrong: vehicles that are parked or in planned work, routers that never connected, subscriptions that start later, routers in stock. */
export function notesOf(found: Attention, { devices: list }: Pick<Targets, 'devices'>, fleet?: Fleet) {
  const notes: readonly {
    readonly id: 'parked' | 'planned' | 'never' | 'starting' | 'stock';
    readonly count: number;
    readonly target: Target;
  }[] = [
    { id: 'parked', count: found.parked, target: list({ presence: 'parked' }) },
    { id: 'planned', count: found.planned, target: list({ presence: 'planned' }) },
    { id: 'never', count: found.never, target: list({ presence: 'never' }) },
    { id: 'starting', count: found.starting, target: list({ service: 'starting' }) },
    { id: 'stock', count: fleet?.stock ?? 0, target: { to: '/inventory', search: { claimed: 'unclaimed' } } },
  ];
  return notes.filter(({ count }) => count > 0);
}
