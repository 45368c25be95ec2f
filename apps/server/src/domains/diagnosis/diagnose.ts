import { epochSeconds } from '../../kernel/calendar.ts';
import { diagnosisKinds, diagnosisLimits as limits, DOUBLE_VOLTAGE, signalLimits, type Finding } from '@highline/contract';
import type { DeviceFacts } from './facts.ts';

type Of<Kind extends Finding['kind']> = Extract<Finding, { readonly kind: Kind }>;
/** A rule of the diagnosis: what was found, or undefined. @param now epoch seconds */
type Rule<Kind extends Finding['kind']> = (facts: DeviceFacts, now: number) => Of<Kind> | undefined;

const rounded = (value: number): number => Math.round(value * 10) / 10;

/** One rule for each kind. */
const rules: { readonly [Kind in Finding['kind']]: Rule<Kind> } = {
  identity: ({ identity }) =>
    identity === null ? undefined : { kind: 'identity', since: epochSeconds(identity.at), cause: identity.reason },

  supply({ volts, lowHours }, now) {
    if (volts === null || lowHours < limits.supply.hours) return undefined;
    return { kind: 'supply', since: now, volts: rounded(volts), limit: limitOf(volts), hours: lowHours };
  },

  antenna({ compared }) {
    const days = compared.filter(({ samples }) => samples > 0).toSorted((a, b) => (a.day < b.day ? -1 : 1));
    const bad = days.filter(({ difference, samples }) => difference / samples <= limits.antenna.db);
    const newest = days.at(-1);
    const samples = days.reduce((sum, day) => sum + day.samples, 0);
    const db = days.reduce((sum, day) => sum + day.difference, 0) / samples;
    // A new antenna counts from the first day that shows it.
    const isMended = newest !== undefined && newest.difference / newest.samples > limits.antenna.db / 2;
    if (bad.length < limits.antenna.leastDays || samples < limits.antenna.samples || db > limits.antenna.db || isMended)
      return undefined;
    const cells = Math.max(...days.map((day) => day.cells));
    return { kind: 'antenna', since: epochSeconds(new Date(`${bad[0]!.day}T00:00:00Z`)), db: rounded(db), samples, cells };
  },

  restarts({ restarts, restartsInHour: inHour }, now) {
    if (restarts < limits.restarts.count || inHour < limits.restarts.inHour) return undefined;
    return { kind: 'restarts', since: now, restarts, inHour };
  },

  sim({ failedProfile, isSimMissing, idleHours, rsrp }, now) {
    const hasSignal = rsrp !== null && rsrp >= signalLimits.rsrp.fair;
    if (failedProfile !== null) return { kind: 'sim', since: epochSeconds(failedProfile), cause: 'profile', hours: null };
    if (isSimMissing) return { kind: 'sim', since: now, cause: 'missing', hours: null };
    if (idleHours >= limits.idle.hours && hasSignal) return { kind: 'sim', since: now, cause: 'idle', hours: idleHours };
    return undefined;
  },

  storage: ({ outOfMemory }) => (outOfMemory === null ? undefined : { kind: 'storage', since: epochSeconds(outOfMemory) }),

  heat({ celsius }, now) {
    if (celsius === null || celsius < limits.heat.celsius) return undefined;
    return { kind: 'heat', since: now, celsius: rounded(celsius), limit: limits.heat.celsius };
  },

  unstable({ lossesNow: losses }, now) {
    const { losses: least, minutes } = limits.unstable;
    return losses < least ? undefined : { kind: 'unstable', since: now, losses, minutes };
  },

  drops(facts, now) {
    const { losses, lossHours, worstPlace } = facts;
    if (losses < limits.drops.losses || lossHours < limits.drops.hours || isWeakPlace(facts)) return undefined;
    return { kind: 'drops', since: now, losses, place: worstPlace && placeOf(worstPlace) };
  },

  position({ positionFault: fault }, now) {
    if (fault === null || epochSeconds(fault.at) < now - limits.position.hours * 3_600) return undefined;
    return { kind: 'position', since: epochSeconds(fault.since), reason: fault.reason, count: fault.count };
  },

  place(facts, now) {
    const { losses, worstPlace } = facts;
    if (worstPlace === null || !isWeakPlace(facts)) return undefined;
    return { kind: 'place', since: now, losses, place: placeOf(worstPlace), others: worstPlace.others };
  },

  clock({ clockSkewMs: skew }, now) {
    const seconds = Math.round((skew ?? 0) / 1_000);
    return Math.abs(seconds) < limits.clock.seconds ? undefined : { kind: 'clock', since: now, seconds };
  },
};

/** The limit of the supply voltage: a supply above `DOUBLE_VOLTAGE` is one of 24 V. */
export const limitOf = (volts: number): number => limits.supply.volts * (volts > DOUBLE_VOLTAGE ? 2 : 1);

const placeOf = ({ latitude, longitude, losses }: NonNullable<DeviceFacts['worstPlace']>) => ({ latitude, longitude, losses });

/** Most of its connections are lost where those of others are too. */
function isWeakPlace({ losses, worstPlace }: DeviceFacts): boolean {
  if (worstPlace === null) return false;
  const { losses: least, share, others } = limits.place;
  return worstPlace.losses >= least && worstPlace.losses >= losses * share && worstPlace.others >= others;
}

/**
 * What is found about a device (SAY-02), the most urgent first. Facts that are missing say nothing.
 * @returns each kind at most once; `since` is the earliest time that these facts show
 */
export function diagnose(facts: DeviceFacts, now: Date): Finding[] {
  return diagnosisKinds.flatMap((kind) => rules[kind](facts, epochSeconds(now)) ?? []);
}
