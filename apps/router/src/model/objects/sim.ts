import type { EuiccProfile } from '../../platform/euicc.ts';
import type { ModemIdentity } from '../../platform/platform.ts';
import { SETTINGS } from '../../state/esims.ts';
import { deleteProfile, downloadProfile, enableProfile } from '../../steps/esim.ts';
import type { ObjectDef, ReadParam, RouterView, StoredParam } from '../definition.ts';
import { atMost, between, fixed, flag, setting, text } from '../params.ts';
import { profileAt, profilesOf } from '../profiles.ts';

const modem = (name: keyof ModemIdentity): ReadParam => text((router) => router.platform.modem.identity()[name]);

const simParams = {
  Alias: fixed('sim-1'),
  Status: fixed('Valid'),
  IMSI: modem('imsi'),
  ICCID: modem('iccid'),
  MSISDN: modem('msisdn'),
  EID: modem('eid'),
};

/** The SIM as in TR-181 2.19 (Device.TrustedElements.SIM): a plain card. */
const uicc: ObjectDef = {
  path: 'Device.TrustedElements.SIM.{i}.',
  table: { instances: () => [1], uniqueKeys: [['Alias'], ['ICCID']] },
  params: { ...simParams, Type: fixed('UICC') },
};

/** The same as an eUICC; its numbers are those of the current profile. */
const euicc: ObjectDef = {
  ...uicc,
  params: { ...simParams, Type: fixed('eUICC'), X_HIGHLINE_DownloadState: text(downloadState) },
  commands: { 'X_HIGHLINE_DownloadProfile()': downloadProfile },
};

/** Profiles on the chip; initially only the preloaded one. */
const profile: ObjectDef = {
  path: 'Device.TrustedElements.SIM.{i}.Profile.{i}.',
  table: { instances: (router) => profilesOf(router).map(({ number }) => number), uniqueKeys: [['ICCID']] },
  params: {
    [SETTINGS.name]: named((_router, found) => `${found?.carrier ?? ''} profile`.trim(), atMost(100)),
    ICCID: of(({ iccid }) => iccid),
    IMSI: of(({ imsi }) => imsi),
    State: of(({ inUse }) => (inUse ? 'Active' : 'Inactive')),
    Class: fixed('Operational'),
    X_HIGHLINE_Carrier: of(({ carrier }) => carrier),
    X_HIGHLINE_Preloaded: flag((router, ids) => profileAt(router, ids.at(-1))?.isPreloaded === true),
    [SETTINGS.apn]: named((router, found) => (found?.isPreloaded ? router.platform.modem.identity().apn : ''), atMost(100)),
    [SETTINGS.apn2]: setting('PARAM_STRING', '', atMost(100)),
    // 1 = tried first.
    [SETTINGS.priority]: setting('PARAM_UNSIGNED_INT', '1', between(1, 99)),
  },
  commands: { 'X_HIGHLINE_Enable()': enableProfile, 'X_HIGHLINE_Delete()': deleteProfile },
};

export const uiccObjects: readonly ObjectDef[] = [uicc];
export const euiccObjects: readonly ObjectDef[] = [euicc, profile];

function downloadState(router: RouterView): string {
  const { job } = router.esims();
  if (job?.kind !== 'download') return '';
  return job.stage === 'install' ? 'Installing' : 'Downloading';
}

function of(read: (found: EuiccProfile) => string): ReadParam {
  return text((router, ids) => {
    const found = profileAt(router, ids.at(-1));
    return found === undefined ? '' : read(found);
  });
}

function named(
  initial: (router: RouterView, found: EuiccProfile | undefined) => string,
  check: (value: string) => string | undefined,
): StoredParam {
  return { type: 'PARAM_STRING', initial: (router, ids) => initial(router, profileAt(router, ids.at(-1))), check };
}
