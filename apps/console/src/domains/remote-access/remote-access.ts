import { remoteAccess } from '@highline/contract';
import type { Opened } from './remote-access.api.ts';

/** Whole seconds until credentials expire, 300 at most: what the countdown shows (RMT-02). `deadline` and `now` in ms. */
export function secondsLeft(deadline: number, now: number): number {
  return Math.min(remoteAccess.CREDENTIAL_SECONDS, Math.max(0, Math.ceil((deadline - now) / 1000)));
}

/** Milliseconds until the countdown shows another number; at least 1, so that no tick is early. */
export function untilNextTick(deadline: number, now: number): number {
  const past = (deadline - now) % 1000;
  return past > 0 ? Math.ceil(past) : 1000;
}

/** Seconds as mm:ss. */
export function formatCountdown(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(seconds / 60))}:${two(seconds % 60)}`;
}

/** The line that a terminal takes. */
export function sshLine({ host, port, username }: Pick<Opened, 'host' | 'port' | 'username'>): string {
  return `ssh -p ${port} ${username}@${host}`;
}

/** The address of a page that may be opened; undefined for anything that is not a web page. */
export function pageOf(address: string): string | undefined {
  const url = URL.parse(address);
  return url !== null && ['http:', 'https:'].includes(url.protocol) ? url.href : undefined;
}
