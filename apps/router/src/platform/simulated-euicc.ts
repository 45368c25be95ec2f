import { makeIccid, makeImsi, makeMsisdn, parseActivationCode } from '@highline/usp';
import type { ChipMemory, ChipProfile } from '../state/state.ts';
import { type Euicc, EuiccFault, type ProfileOrder } from './euicc.ts';
import type { ModemIdentity } from './platform.ts';
import { seedOf } from './random.ts';
import type { Scheduler } from './scheduler.ts';

export type SimulatedEuiccOptions = {
  /** The SIM as delivered. */
  factory: Pick<ModemIdentity, 'iccid' | 'imsi' | 'msisdn' | 'carrier'>;
  /** Persistent memory of the chip. */
  memory: { read(): ChipMemory; write(next: ChipMemory): void };
  scheduler: Scheduler;
  /** Milliseconds of a normal download; installing takes a third of it. */
  downloadMs: number;
};

/** A simulated chip, with what only the simulation knows. */
export type SimulatedEuicc = Euicc & {
  /** Whether a network accepts the current profile. */
  connects(): boolean;
};

const CAPACITY = 4;
const SLOW_FACTOR = 6;
const CARRIERS = ['AT&T', 'T-Mobile', 'Verizon', 'Vodafone', 'Orange', 'Chunghwa Telecom', 'Far EasTone', 'Taiwan Mobile'];

/**
 * An eUICC whose profiles are derived from their activation codes: the operator from the server's name, all numbers from the
 * whole code. A part of the matching id (between dashes) that begins with FAIL, UNREACHABLE, NOCONN, SLOW, MISMATCH or BIG makes
 * the profile faulty: it cannot be downloaded, its server is not found, no network accepts it, its download is slow, its ICCID
 * differs from the ordered one, it needs more memory than the chip has left (SGP.22 installFailedInsufficientMemoryForProfile). A
 * part that begins with PIN names the only confirmation code that its server accepts.
 */
export function createSimulatedEuicc({ factory, memory, scheduler, downloadMs }: SimulatedEuiccOptions): SimulatedEuicc {
  const own = ({ iccid }: ChipProfile) => iccid === memory.read().enabled;
  const preloadedIsInUse = () => !memory.read().profiles.some(own);
  return {
    capacity: CAPACITY,
    profiles() {
      const { iccid, imsi, msisdn, carrier } = factory;
      const preloaded = { iccid, imsi, msisdn, carrier, inUse: preloadedIsInUse(), isPreloaded: true };
      const others = memory.read().profiles.map(({ connects: _, ...each }) => ({
        ...each,
        inUse: each.iccid === memory.read().enabled,
        isPreloaded: false,
      }));
      return [preloaded, ...others];
    },
    async download(order, signal, installing) {
      const faults = faultsOf(order.activationCode);
      const ms = downloadMs * (faults.has('SLOW') ? SLOW_FACTOR : 1);
      await pass(scheduler, ms / 4, signal);
      if (faults.has('UNREACHABLE')) throw new EuiccFault("unreachable: the operator's server was not found");
      await pass(scheduler, (ms * 3) / 4, signal);
      if (faults.has('FAIL')) throw new EuiccFault("download-failed: the operator's server rejected the profile");
      if (!isConfirmed(order)) throw new EuiccFault("wrong-confirmation: the operator's server rejected the confirmation code");
      const profile = profileOf(order);
      if (order.iccid !== '' && order.iccid !== profile.iccid)
        throw new EuiccFault(`iccid-mismatch: the activation code is of the profile ${profile.iccid}`);
      const { enabled, profiles } = memory.read();
      if ([factory, ...profiles].some(({ iccid }) => iccid === profile.iccid))
        throw new EuiccFault('download-failed: this profile is on the eUICC already');
      if (profiles.length + 1 >= CAPACITY) throw new EuiccFault('out-of-memory: the eUICC is full');
      installing();
      await pass(scheduler, ms / 3, signal);
      // Known only once it is unpacked; nothing of it remains.
      if (faults.has('BIG')) throw new EuiccFault('out-of-memory: the profile is larger than the memory left on the eUICC');
      memory.write({ enabled, profiles: [...memory.read().profiles, profile] });
    },
    enable(iccid) {
      const { profiles } = memory.read();
      const isPreloaded = iccid === factory.iccid;
      if (!isPreloaded && !profiles.some((each) => each.iccid === iccid)) throw new Error(`no profile ${iccid} on the eUICC`);
      if (memory.read().enabled !== (isPreloaded ? '' : iccid)) memory.write({ enabled: isPreloaded ? '' : iccid, profiles });
    },
    remove(iccid) {
      const { enabled, profiles } = memory.read();
      const left = profiles.filter((each) => each.iccid !== iccid);
      if (left.length < profiles.length) memory.write({ enabled, profiles: left });
    },
    connects: () => memory.read().profiles.find(own)?.connects ?? true,
  };
}

/** Keywords of a matching id that make a profile faulty. */
export const FAULTS = ['FAIL', 'UNREACHABLE', 'NOCONN', 'SLOW', 'MISMATCH', 'BIG'] as const;
type Fault = (typeof FAULTS)[number];

const PIN = 'PIN';

function partsOf(code: string): readonly string[] {
  return (parseActivationCode(code)?.matchingId ?? '').split('-');
}

function isConfirmed({ activationCode, confirmationCode }: ProfileOrder): boolean {
  const pin = partsOf(activationCode).find((part) => part.startsWith(PIN));
  return pin === undefined || pin.slice(PIN.length) === confirmationCode;
}

function faultsOf(code: string): ReadonlySet<Fault> {
  const parts = partsOf(code);
  return new Set(FAULTS.filter((fault) => parts.some((part) => part.startsWith(fault))));
}

function profileOf({ activationCode, iccid }: ProfileOrder): ChipProfile {
  const code = parseActivationCode(activationCode);
  const faults = faultsOf(activationCode);
  const n = seedOf(`${code?.host}$${code?.matchingId}`) % 1_000_000;
  return {
    // A million apart from the numbers of factory profiles.
    iccid: iccid !== '' && !faults.has('MISMATCH') ? iccid : makeIccid(1_000_000 + n),
    imsi: makeImsi(1_000_000 + n),
    msisdn: makeMsisdn(n),
    carrier: carrierOf(code?.host ?? ''),
    connects: !faults.has('NOCONN'),
  };
}

/** The operator named by the server's host name; else one derived from it. */
function carrierOf(host: string): string {
  const bare = host.replaceAll(/[^a-z]/g, '');
  const named = CARRIERS.find((carrier) => bare.includes(carrier.toLowerCase().replaceAll(/[^a-z]/g, '')));
  return named ?? CARRIERS[seedOf(host) % CARRIERS.length]!;
}

/** Wait. @throws Error when `signal` ends it */
async function pass(scheduler: Scheduler, ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const cancel = scheduler.after(ms, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    const stop = () => {
      cancel();
      reject(new Error('cut off'));
    };
    signal.addEventListener('abort', stop, { once: true });
  });
}
