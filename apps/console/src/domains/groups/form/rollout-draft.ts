import { networks, rollouts } from '@highline/contract';

/** A vehicle that was chosen to go first. */
export interface FirstVehicle {
  readonly device: string;
  readonly name: string;
}

/** What goes first: a number of routers, or those chosen. */
export const firstKinds = ['count', 'devices', 'tag', 'view'] as const;
export type FirstKind = (typeof firstKinds)[number];

/** Percent of the other routers that have begun with each wave but the last. */
export const sharePresets = { all: [], half: [50], quarters: [25, 50, 75], rising: [10, 50] } as const;
export type SharePreset = keyof typeof sharePresets;

/** Conditions of a window that are numbers, with their ranges. */
export const windowRanges = {
  ignitionOffMinutes: [1, 720],
  stillMinutes: [1, 720],
  minVoltage: [1, 100],
  minSignal: [-140, -40],
} as const;
export type WindowNumber = keyof typeof windowRanges;

/** The window of a form; a number as it was typed, empty = not a condition. */
export interface WindowDraft extends Readonly<Record<WindowNumber, string>> {
  /** It is that of the rollout before, if that has one and keeps its file. */
  readonly keeps: boolean;
  readonly isLimited: boolean;
  readonly hasHours: boolean;
  readonly days: readonly number[];
  readonly from: string;
  readonly until: string;
  readonly isLocal: boolean;
  readonly geofences: readonly string[];
  readonly uplinks: readonly networks.UplinkKind[];
}

/** The options of the next rollout of a group (WIN-01, WIN-02). */
export interface RolloutDraft {
  /** What goes first and how it goes on is as in the rollout before, if that has waves and keeps its file. */
  readonly keepsPlan: boolean;
  readonly first: FirstKind;
  readonly devices: readonly FirstVehicle[];
  readonly tag: string;
  /** Id of a saved view. */
  readonly view: string;
  readonly rule: rollouts.WaveRule;
  /** As typed. */
  readonly hours: string;
  readonly shares: SharePreset;
  readonly window: WindowDraft;
}

export const emptyRollout: RolloutDraft = {
  keepsPlan: true,
  first: 'count',
  devices: [],
  tag: '',
  view: '',
  rule: 'success',
  hours: '4',
  shares: 'all',
  window: {
    keeps: true,
    isLimited: false,
    hasHours: true,
    days: [0, 1, 2, 3, 4, 5, 6],
    from: '02:00',
    until: '04:00',
    isLocal: true,
    ignitionOffMinutes: '',
    stillMinutes: '',
    geofences: [],
    uplinks: [],
    minVoltage: '',
    minSignal: '',
  },
};

/** The fields of a stored draft that have the type of the usual ones; the usual ones otherwise. */
function likeUsual<Draft extends object>(stored: unknown, usual: Draft): Draft {
  const found = (stored ?? {}) as Readonly<Record<string, unknown>>;
  const fields = Object.entries(usual).map(([field, own]: [string, unknown]) => {
    const value = found[field];
    return [field, typeof value === typeof own && Array.isArray(value) === Array.isArray(own) ? value : own];
  });
  return Object.fromEntries(fields) as Draft;
}

const isText = (value: unknown) => typeof value === 'string';

/** The options of a draft from the browser's storage. */
export function parseRollout(stored: unknown): RolloutDraft {
  const draft = likeUsual(stored, emptyRollout);
  const window = likeUsual(draft.window, emptyRollout.window);
  return {
    ...draft,
    first: firstKinds.find((kind) => kind === draft.first) ?? emptyRollout.first,
    rule: rollouts.waveRules.find((rule) => rule === draft.rule) ?? emptyRollout.rule,
    shares: Object.hasOwn(sharePresets, draft.shares) ? draft.shares : emptyRollout.shares,
    devices: draft.devices.filter((vehicle: FirstVehicle | null) => isText(vehicle?.device) && isText(vehicle?.name)),
    window: {
      ...window,
      days: window.days.filter((day) => emptyRollout.window.days.includes(day)),
      geofences: window.geofences.filter(isText),
      uplinks: networks.uplinkKinds.filter((kind) => window.uplinks.includes(kind)),
    },
  };
}

/** The part of a call that binds files. */
export interface RolloutInput {
  readonly first?: rollouts.FirstWave;
  /** Null: none, though the rollout before has some. */
  readonly waves?: rollouts.WavePlan | null;
  readonly window?: rollouts.UpdateWindow | null;
}

/** The waves and the window of rollouts. */
export interface RolloutLimits {
  readonly waves: Pick<rollouts.RolloutWaves, 'rule' | 'hours'> | null;
  readonly window: rollouts.UpdateWindow | null;
}

/** What the rollouts of files have that stay bound. */
export interface RolloutBefore extends RolloutLimits {
  /** Whether a save begins rollouts of these files only: that of another file keeps nothing of the one before it. */
  readonly mayBeKept: boolean;
}

export const noRolloutBefore: RolloutBefore = { waves: null, window: null, mayBeKept: false };

/** What a draft keeps of the rollouts before. */
export function keptOf({ keepsPlan, window }: RolloutDraft, before: RolloutBefore): RolloutLimits {
  const { mayBeKept } = before;
  return { waves: mayBeKept && keepsPlan ? before.waves : null, window: mayBeKept && window.keeps ? before.window : null };
}

/** True for an empty text and for a number within the range of the condition. */
export function isInRange(condition: WindowNumber, text: string): boolean {
  const [least, most] = windowRanges[condition];
  const value = Number(text);
  return text === '' || (Number.isFinite(value) && value >= least && value <= most);
}

/** True for a whole number of hours that a rule can have. */
export function isWaveHours(text: string): boolean {
  return /^\d{1,3}$/u.test(text) && Number(text) >= 1 && Number(text) <= rollouts.MAX_WAVE_HOURS;
}

/** What is wrong with a window; undefined when it can be saved. */
export function windowFault(draft: WindowDraft): 'needed' | 'noDay' | WindowNumber | undefined {
  if (!draft.isLimited) return undefined;
  if (draft.hasHours && draft.days.length === 0) return 'noDay';
  const numbers = Object.keys(windowRanges) as WindowNumber[];
  const hasChoices = draft.geofences.length > 0 || draft.uplinks.length > 0;
  const isEmpty = !draft.hasHours && !hasChoices && numbers.every((condition) => draft[condition] === '');
  return isEmpty ? 'needed' : numbers.find((condition) => !isInRange(condition, draft[condition]));
}

/** The window as the call takes it; undefined = at any time. */
export function windowOf(draft: WindowDraft, zone: string): rollouts.UpdateWindow | undefined {
  if (!draft.isLimited) return undefined;
  const { days, from, until } = draft;
  const numbers = Object.keys(windowRanges).filter((key) => draft[key as WindowNumber] !== '');
  return {
    zone,
    ...(draft.hasHours ? { hours: [{ days: [...days], from, until }], local: draft.isLocal } : {}),
    ...(draft.geofences.length === 0 ? {} : { geofences: [...draft.geofences] }),
    ...(draft.uplinks.length === 0 ? {} : { uplinks: [...draft.uplinks] }),
    ...Object.fromEntries(numbers.map((key) => [key, Number(draft[key as WindowNumber])])),
  };
}

/**
 * The options as the call takes them; what is as before is left out.
 * @param before what the same file would keep
 * @param first the routers that were chosen, from the view too; undefined = a number of them
 */
export function rolloutInput(
  draft: RolloutDraft,
  first: rollouts.FirstWave | undefined,
  zone: string,
  before: RolloutBefore,
): RolloutInput {
  const { rule, hours } = draft;
  const shares = sharePresets[draft.shares];
  const hasWaves = rule !== 'success' || shares.length > 0;
  const plan = {
    rule,
    ...(rule === 'hours' ? { hours: Number(hours) } : {}),
    ...(shares.length > 0 ? { shares: [...shares] } : {}),
  };
  const window = windowOf(draft.window, zone);
  const kept = keptOf(draft, before);
  const chosenPlan = {
    ...(first === undefined ? {} : { first }),
    ...(hasWaves ? { waves: plan } : before.waves && first === undefined ? { waves: null } : {}),
  };
  return {
    ...(kept.waves ? {} : chosenPlan),
    ...(kept.window ? {} : window !== undefined ? { window } : before.window ? { window: null } : {}),
  };
}
