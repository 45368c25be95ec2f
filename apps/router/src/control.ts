import type { RouterHandle } from './router.ts';

/** Faults on command, for a person at the terminal and for scripts: the same words on standard input and over HTTP. */
export const CONTROL_HELP = [
  'status [serial]              condition, uptime and starts',
  'power-cut <ms> [serial]      off without a close, on again after <ms>',
  'lost-coverage <ms> [serial]  silent, half-open, for <ms>',
  'slow-link <ms> [serial]      every frame <ms> later in both directions; 0 ends it',
  'bad-flash <ms> [serial]      nothing can be written where downloads go, for <ms>',
  'reboot [serial]              restarts',
  'help                         this list; without a serial a command is for all routers',
];

export type ControlAnswer = { ok: true; result: unknown } | { ok: false; error: string };

const TIMED = {
  'power-cut': (router: RouterHandle, ms: number) => router.powerCut(ms),
  'lost-coverage': (router: RouterHandle, ms: number) => router.lostCoverage(ms),
  'bad-flash': (router: RouterHandle, ms: number) => router.badFlash(ms),
  'slow-link': (router: RouterHandle, ms: number) => router.slowLink(ms),
} as const;

const LONGEST_MS = 24 * 3600 * 1000;

/** Words of one command; `ms` as written. */
export type ControlCommand = { command: string; ms?: string | undefined; serial?: string | undefined };

/** Reads a line as a person types it: 'power-cut 5000 HL-0001'. A serial number may hold blanks, so it is the rest of the line. */
export function parseControlLine(line: string): ControlCommand {
  const [command = '', ...words] = line.trim().split(/\s+/);
  const ms = Object.hasOwn(TIMED, command) ? words.shift() : undefined;
  return { command, ms, serial: words.length > 0 ? words.join(' ') : undefined };
}

/** Carries out a command. Never throws; a fault is named in the answer. */
export function control(routers: ReadonlyMap<string, RouterHandle>, { command, ms, serial }: ControlCommand): ControlAnswer {
  if (command === 'help') return { ok: true, result: CONTROL_HELP };
  const timed = Object.hasOwn(TIMED, command) ? TIMED[command as keyof typeof TIMED] : undefined;
  if (!timed && command !== 'status' && command !== 'reboot') return refuse(`no command '${command}'; try help`);
  if (timed && !isDuration(ms)) return refuse(`${command} needs milliseconds from 0 to ${LONGEST_MS}`);
  const chosen = choose(routers, serial);
  if (!chosen) return refuse(`no router ${serial ?? ''}`);
  if (timed) for (const router of chosen) timed(router, Number(ms));
  if (command === 'reboot') for (const router of chosen) router.reboot();
  return { ok: true, result: chosen.map(describe) };
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

function refuse(error: string): ControlAnswer {
  return { ok: false, error };
}
