import type { EuiccProfile } from '../platform/euicc.ts';
import { PRELOADED, PROFILES, SETTINGS } from '../state/esims.ts';
import type { RouterView } from './definition.ts';

/** Profiles with their instance numbers; a downloaded one that was not adopted yet has none. */
export function profilesOf(router: RouterView): { number: number; profile: EuiccProfile }[] {
  const numbers = new Map(
    router
      .rowPaths()
      .flatMap((path) => (path.startsWith(PROFILES) ? [[router.row(path)?.['ICCID'], numberOf(path)] as const] : [])),
  );
  return (router.platform.euicc?.profiles() ?? []).flatMap((found) => {
    const number = found.isPreloaded ? PRELOADED : numbers.get(found.iccid);
    return number === undefined ? [] : [{ number, profile: found }];
  });
}

/** The profile of an instance number. */
export function profileAt(router: RouterView, number: number | undefined): EuiccProfile | undefined {
  return profilesOf(router).find((each) => each.number === number)?.profile;
}

/** The current profile, its number and its APN; undefined when it has no number yet. */
export function profileInUse(router: RouterView): { number: number; iccid: string; apn: string } | undefined {
  const found = profilesOf(router).find((each) => each.profile.inUse);
  return found === undefined ? undefined : { number: found.number, iccid: found.profile.iccid, apn: apnInUse(router) };
}

/** The APN of the current profile; empty = chosen by the network. */
export function apnInUse(router: RouterView): string {
  const chosen = router.row('Device.Cellular.AccessPoint.1.')?.['APN'];
  if (chosen !== undefined) return chosen;
  const found = profilesOf(router).find((each) => each.profile.inUse);
  const preloaded = router.platform.modem.identity().apn;
  if (found === undefined) return preloaded;
  return router.row(`${PROFILES}${found.number}.`)?.[SETTINGS.apn] ?? (found.profile.isPreloaded ? preloaded : '');
}

function numberOf(path: string): number {
  return Number(path.slice(PROFILES.length, -1));
}
