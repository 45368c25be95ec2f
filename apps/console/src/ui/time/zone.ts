import { readCookie, writeCookie } from '../cookies.ts';
import { readStored, writeStored } from '../storage.ts';
import { createStore, useStore } from '../store.ts';
import { browserZone, chosenZone, offsetHours } from './zones.ts';

const YEAR = 365 * 86_400;

/** Zone of every time the console shows, and whether it simply follows the browser. */
export interface ZoneSetting {
  readonly zone: string;
  readonly followsBrowser: boolean;
}

const FOLLOWS = 'highline.zoneFollowsBrowser';
const setting = createStore<ZoneSetting>({ zone: 'UTC', followsBrowser: true });

function keep(next: ZoneSetting): void {
  writeCookie('timezone', next.zone, YEAR);
  // The current offset, rewritten on every load because daylight saving time ends.
  writeCookie('tz', String(offsetHours(next.zone, new Date())), YEAR);
  // The cookie alone cannot distinguish a user in New York who follows the browser from one who chose Eastern.
  writeStored(FOLLOWS, next.followsBrowser);
  setting.set(next);
}

/** Follow the browser, or stay in a zone that a person chose. */
function settingOf(zone: string | undefined): ZoneSetting {
  return zone === undefined ? { zone: browserZone(), followsBrowser: true } : { zone, followsBrowser: false };
}

/** Take up the stored zone, or the browser's; once, before the first screen (NAV-06). */
export function loadZone(): void {
  const follows = readStored(FOLLOWS) === true;
  keep(settingOf(follows ? undefined : chosenZone(readCookie('timezone'))));
}

/** Choose a zone; undefined follows the browser. All times on the screen change immediately (NAV-06). */
export function chooseZone(zone: string | undefined): void {
  keep(settingOf(zone));
}

/** The current zone. */
export function useZone(): string {
  return useStore(setting).zone;
}

/** The current setting, for the selector. */
export function useZoneSetting(): ZoneSetting {
  return useStore(setting);
}
