import { defaultRolloutTimeouts, type Facts } from '../apps/server/src/domains/rollouts/engine/facts.ts';
import { nextRolloutStep } from '../apps/server/src/domains/rollouts/engine/plan.ts';
import { percentile } from './measure.ts';
import { printTable, whole } from './table.ts';

const ROUTERS = 10_000;
const PASSES = 200;
const NOW = new Date('2026-11-21T12:00:00Z');
const EARLIER = new Date('2026-11-21T11:59:50Z');

/** Cost of the pure decision for one router, compared with an empty loop. */
export function benchReconciler(): void {
  const all = Array.from({ length: ROUTERS }, (_, index) => factsOf(index));
  const decide = (facts: Facts) => nextRolloutStep(facts, NOW, defaultRolloutTimeouts).type.length;
  const nothing = (facts: Facts) => facts.target.sends;
  // Alternating, so that both are compiled and run under the same load.
  const samples = Array.from({ length: PASSES }, () => ({ ours: passOver(all, decide), raw: passOver(all, nothing) }));
  const ends = (name: 'ours' | 'raw') => {
    const each = samples.slice(PASSES / 10).map((sample) => sample[name]);
    return [percentile(each, 0.5), percentile(each, 0.99)];
  };
  printTable(
    `Reconciler, ${PASSES} passes over ${whole(ROUTERS)} routers`,
    [{ name: 'one router, one pass', unit: 'µs', ours: ends('ours'), raw: ends('raw'), aim: 'recorded' }],
    ['Facts in memory; p50 / p99 of the passes. Ceiling: the same loop around a function that reads one field.'],
  );
}

let sink = 0;

/** @returns microseconds per router */
function passOver(all: readonly Facts[], look: (facts: Facts) => number): number {
  const begin = performance.now();
  for (const facts of all) sink += look(facts);
  const ms = performance.now() - begin;
  // Prevents the compiler from removing an unused result.
  if (sink < 0) throw new RangeError('The sum became negative.');
  return (ms * 1000) / all.length;
}

/** All kinds of routers in turn: new, in progress, offline, done, being checked. */
function factsOf(index: number): Facts {
  const at = index % 5;
  const isConfig = index % 2 === 0;
  return {
    desired: {
      kind: isConfig ? 'config' : 'firmware',
      label: isConfig ? 'depot.cfg' : '3.0.0',
      model: isConfig ? null : 'HL-R520 5G',
      sha256: 'ab'.repeat(32),
      isSigned: !isConfig,
      schedule: index % 3 === 0 ? 'bootup' : 'immediate',
      postponeUntil: null,
      boundAt: EARLIER,
      state: 'running',
      hasOpenCanaries: false,
      hasWaves: false,
    },
    reported: {
      model: 'HL-R520 5G',
      firmware: at === 3 ? '3.0.0' : '2.8.1',
      config: 'depot.cfg',
      config_version: at === 3 ? 'abababababab' : '0123456789ab',
      booted_at: '2026-11-20T08:00:00.000Z',
      boot_heard_at: '2026-11-20T08:00:05.000Z',
      ota: { firmware: true, config: true, bootable: true, signature: true },
      idle_slot: 'Device.DeviceInfo.FirmwareImage.2.',
      idle_status: 'Available',
      config_slot: 'Device.DeviceInfo.VendorConfigFile.1.',
    },
    isOnline: at !== 2,
    presenceSince: new Date('2026-11-20T08:00:00Z'),
    isSubscribed: true,
    isBusy: false,
    target: {
      state: at === 3 ? 'successful' : at === 1 ? 'downloading' : at === 4 ? 'applying' : 'waiting',
      reason: null,
      detail: null,
      percent: at === 1 ? 40 : 0,
      attempt: 1,
      isCanary: false,
      isLaterWave: false,
      phase: at === 1 ? 'sent' : at === 4 ? 'applied' : 'idle',
      stepKey: at === 1 || at === 4 ? `step-${index}` : null,
      slot: null,
      begunAt: EARLIER,
      sentAt: EARLIER,
      takenAt: at === 1 ? EARLIER : null,
      sends: 1,
      interruptions: 0,
      checkedBy: null,
      downloadSince: null,
      updatedAt: EARLIER,
      busySince: null,
      madeAt: EARLIER,
      dueAt: null,
    },
  };
}
