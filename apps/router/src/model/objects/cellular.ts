import type { ModemIdentity } from '../../platform/platform.ts';
import type { ObjectDef, ReadParam, RouterView } from '../definition.ts';
import { alias, atMost, counter, fixed, flag, oneOf, setting, text, toggle, whole } from '../params.ts';
import { restartModem } from '../../steps/restart-modem.ts';
import { apnInUse } from '../profiles.ts';

const signalOf = (router: RouterView) => router.platform.modem.signal();
const modem = (name: keyof ModemIdentity): ReadParam => text((router) => router.platform.modem.identity()[name]);

const technologies = ['UMTS', 'LTE', 'NR'] as const;
/** The technology that was chosen; undefined = the network chooses. */
const preferredTechnology = (router: RouterView) =>
  technologies.find((each) => each === router.row('Device.Cellular.Interface.1.')?.['PreferredAccessTechnology']);

/** Modem, its traffic and its access point (TR-181 Device.Cellular). */
const cellularInterface: ObjectDef = {
  path: 'Device.Cellular.Interface.{i}.',
  table: { instances: () => [1], uniqueKeys: [['Alias'], ['Name']] },
  params: {
    Alias: fixed('wwan'),
    Name: fixed('wwan0'),
    Enable: flag(() => true),
    Status: text((router) => (signalOf(router).registered ? 'Up' : 'Down')),
    Upstream: flag(() => true),
    IMEI: modem('imei'),
    SupportedAccessTechnologies: fixed('LTE,NR'),
    PreferredAccessTechnology: setting('PARAM_STRING', 'Auto', oneOf('Auto', ...technologies)),
    CurrentAccessTechnology: text((router) => preferredTechnology(router) ?? signalOf(router).technology),
    NetworkInUse: modem('carrier'),
    X_HIGHLINE_CellID: text((router) => String(signalOf(router).cellId)),
    RSSI: whole((router) => signalOf(router).rssi, 'fluctuating'),
    RSRP: whole((router) => signalOf(router).rsrp, 'fluctuating'),
    RSRQ: whole((router) => signalOf(router).rsrq, 'fluctuating'),
    X_HIGHLINE_SINR: whole((router) => signalOf(router).sinr, 'fluctuating'),
    X_HIGHLINE_ThermalProtection: flag(({ alarms }) => alarms.modemIsProtected()),
  },
  commands: { 'X_HIGHLINE_Restart()': restartModem },
};

const cellularStats: ObjectDef = {
  path: 'Device.Cellular.Interface.{i}.Stats.',
  params: {
    BytesSent: counter(({ platform }) => platform.modem.traffic().bytesSent),
    BytesReceived: counter(({ platform }) => platform.modem.traffic().bytesReceived),
  },
};

/** Where SIM values were before TR-181 2.19; kept so that controllers of either age find them. */
const usim: ObjectDef = {
  path: 'Device.Cellular.Interface.{i}.USIM.',
  params: { Status: fixed('Valid'), IMSI: modem('imsi'), ICCID: modem('iccid'), MSISDN: modem('msisdn') },
};

const accessPoint: ObjectDef = {
  path: 'Device.Cellular.AccessPoint.{i}.',
  table: { instances: () => [1], uniqueKeys: [['Alias'], ['APN']] },
  params: {
    Alias: { ...alias, initial: 'ap-1' },
    Enable: toggle(true),
    APN: { type: 'PARAM_STRING', initial: apnInUse, check: atMost(100) },
    Username: setting('PARAM_STRING', '', atMost(256)),
    Password: { type: 'PARAM_STRING', initial: '', hidden: true, check: atMost(256) },
    Interface: fixed('Device.Cellular.Interface.1'),
  },
};

const cellular: ObjectDef = {
  path: 'Device.Cellular.',
  params: { RoamingEnabled: toggle(false), RoamingStatus: fixed('Home') },
};

export const cellularObjects: readonly ObjectDef[] = [cellular, cellularInterface, cellularStats, usim, accessPoint];
