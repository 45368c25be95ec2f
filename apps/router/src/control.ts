import { networkSwitches, type NetworkSwitch } from './model/network-switches.ts';
import { networkParts, type NetworkPart } from './platform/alarms.ts';
import type { RouterHandle } from './router.ts';

/** Control commands that inject faults, for users at a terminal and for scripts: the same on standard input and over HTTP. */
export const CONTROL_HELP = [
  'status [serial]              condition, uptime and starts',
  'power-cut <ms> [serial]      off without a close, on again after <ms>',
  'park <ms> [serial]           the engine is off for <ms>, and the router 30 s later',
  'lost-coverage <ms> [serial]  silent, half-open, for <ms>',
  'lost-network <ms> [serial]   no network accepts the current SIM profile, for <ms>; other profiles may connect',
  'slow-link <ms> [serial]      every frame <ms> later in both directions; 0 ends it',
  'bad-flash <ms> [serial]      downloads cannot be written to flash, for <ms>',
  'battery <percent> [serial]   report this charge; battery normal reports the true one again',
  'thermal <celsius> [serial]   report this temperature; thermal normal reports the true one again',
  `break <part> [serial]        a part of its networks stops working: ${networkParts.join(', ')}`,
  'repair <part> [serial]       it works again',
  `switch <setting> <on|off> [serial]  as a person at the router does: ${Object.keys(networkSwitches).join(', ')}`,
  'change-password [serial]     change the password at the router',
  'factory-reset [serial]       reset the router to factory settings',
  'reboot [serial]              restarts',
  'help                         this list; without a serial a command is for all routers',
];

export type ControlResponse = { ok: true; result: unknown } | { ok: false; error: string };

const TIMED = {
  'power-cut': (router: RouterHandle, ms: number) => router.powerCut(ms),
  park: (router: RouterHandle, ms: number) => router.park(ms),
  'lost-coverage': (router: RouterHandle, ms: number) => router.lostCoverage(ms),
  'lost-network': (router: RouterHandle, ms: number) => router.lostNetwork(ms),
  'bad-flash': (router: RouterHandle, ms: number) => router.badFlash(ms),
  'slow-link': (router: RouterHandle, ms: number) => router.slowLink(ms),
} as const;

const SHOWN = {
  battery: (router: RouterHandle, percent: number | undefined) => router.overrideBattery(percent),
  thermal: (router: RouterHandle, degrees: number | undefined) => router.overrideTemperature(degrees),
} as const;

const PARTS = {
  break: (router: RouterHandle, part: NetworkPart) => router.breakNetwork(part, true),
  repair: (router: RouterHandle, part: NetworkPart) => router.breakNetwork(part, false),
} as const;

const PLAIN = {
  reboot: (router: RouterHandle) => router.reboot(),
  'change-password': (router: RouterHandle) => router.changePassword(),
  'factory-reset': (router: RouterHandle) => router.factoryReset(),
} as const;

const LONGEST_MS = 24 * 3600 * 1000;

/** A parsed command; `ms` and `value` as written. */
export type ControlCommand = {
  command: string;
  ms?: string | undefined;
  value?: string | undefined;
  state?: string | undefined;
  serial?: string | undefined;
};

/** Parse a line: 'power-cut 5000 HL-0001'. A serial number may contain blanks, so it is the rest of the line. */
export function parseControlLine(line: string): ControlCommand {
  const [command = '', ...input] = line.trim().split(/\s+/);
  const ms = Object.hasOwn(TIMED, command) ? input.shift() : undefined;
  const hasValue = Object.hasOwn(SHOWN, command) || Object.hasOwn(PARTS, command) || command === 'switch';
  const value = hasValue ? input.shift() : undefined;
  const state = command === 'switch' ? input.shift() : undefined;
  return { command, ms, value, state, serial: input.length > 0 ? input.join(' ') : undefined };
}

/** Execute a command. Never throws; the response names a fault. */
export function control(routers: ReadonlyMap<string, RouterHandle>, input: ControlCommand): ControlResponse {
  if (input.command === 'help') return { ok: true, result: CONTROL_HELP };
  const effect = effectOf(input);
  if (typeof effect === 'string') return reject(effect);
  const chosen = choose(routers, input.serial);
  if (!chosen) return reject(`no router ${input.serial ?? ''}`);
  const [failure] = chosen.flatMap((router) => failureOf(effect, router));
  if (failure !== undefined) return reject(failure);
  return { ok: true, result: chosen.map(describe) };
}

/** The effect of a command on each router, or what is wrong with it. */
function effectOf({ command, ms, value, state }: ControlCommand): ((router: RouterHandle) => void) | string {
  if (command === 'status') return () => undefined;
  if (Object.hasOwn(PLAIN, command)) return PLAIN[command as keyof typeof PLAIN];
  if (Object.hasOwn(TIMED, command)) {
    if (!isDuration(ms)) return `${command} needs milliseconds from 0 to ${LONGEST_MS}`;
    return (router) => TIMED[command as keyof typeof TIMED](router, Number(ms));
  }
  if (Object.hasOwn(PARTS, command)) {
    const part = networkParts.find((each) => each === value);
    if (part === undefined) return `${command} needs one of ${networkParts.join(', ')}`;
    return (router) => PARTS[command as keyof typeof PARTS](router, part);
  }
  if (command === 'switch') {
    if (value === undefined || !Object.hasOwn(networkSwitches, value) || !['on', 'off'].includes(state ?? ''))
      return `switch needs one of ${Object.keys(networkSwitches).join(', ')}, and on or off`;
    return (router) => router.switchNetwork(value as NetworkSwitch, state === 'on');
  }
  if (!Object.hasOwn(SHOWN, command)) return `no command '${command}'; try help`;
  if (value !== 'normal' && !/^-?\d{1,3}$/.test(value ?? '')) return `${command} needs a whole number, or normal`;
  return (router) => SHOWN[command as keyof typeof SHOWN](router, value === 'normal' ? undefined : Number(value));
}

/** E.g. a full disk. The other routers are not affected. */
function failureOf(effect: (router: RouterHandle) => void, router: RouterHandle): string[] {
  try {
    effect(router);
    return [];
  } catch (error) {
    return [`${router.serial}: ${error instanceof Error ? error.message : String(error)}`];
  }
}

function isDuration(text: string | undefined): boolean {
  return text !== undefined && /^\d+$/.test(text) && Number(text) <= LONGEST_MS;
}

function choose(routers: ReadonlyMap<string, RouterHandle>, serial: string | undefined): RouterHandle[] | undefined {
  if (serial === undefined) return [...routers.values()];
  const router = routers.get(serial);
  return router ? [router] : undefined;
}

function describe({ serial, endpointId, condition, uptimeSeconds, bootCount }: RouterHandle) {
  return { serial, endpointId, condition, uptimeSeconds, bootCount };
}

function reject(error: string): ControlResponse {
  return { ok: false, error };
}
