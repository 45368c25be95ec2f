import type { RouterView } from '../model/definition.ts';
import { slotOf } from '../state/updates.ts';

/** A name and its value for display, on the command line and on the web page. */
export type Reading = readonly [name: string, value: string];

export const FRIENDLY_NAME = { path: 'Device.DeviceInfo.', param: 'FriendlyName' } as const;

/** The name given to the router by its owner. */
export function friendlyName(router: RouterView): string {
  return router.row(FRIENDLY_NAME.path)?.[FRIENDLY_NAME.param] ?? router.identity.friendlyName;
}

/** Identity and software of the router; constant until an update. */
export function systemReadings(router: RouterView): Reading[] {
  const { identity } = router;
  return [
    ['Vehicle', orNone(friendlyName(router))],
    ['Model', identity.model],
    ['Serial number', identity.serial],
    ['MAC address', identity.mac.match(/../gu)?.join(':') ?? ''],
    ['Hardware', identity.hardwareVersion],
    ['Firmware', router.installed().firmware],
    ['Config file', orNone(router.installed().config?.name ?? '')],
  ];
}

/** Readings that change. */
export function liveReadings(router: RouterView): Reading[] {
  const { sensors, modem } = router.platform;
  const signal = modem.signal();
  const traffic = modem.traffic();
  return [
    ['Uptime', duration(router.uptimeSeconds())],
    ['Network', signal.registered ? `${orNone(modem.identity().carrier)}, ${signal.technology}` : 'not registered'],
    ['Signal', `${SIGNAL_LEVELS[signalBars(router)]} (RSRP ${signal.rsrp} dBm, RSRQ ${signal.rsrq} dB)`],
    ['Sent', bytes(traffic.bytesSent)],
    ['Received', bytes(traffic.bytesReceived)],
    ['Temperature', `${sensors.temperature().toFixed(1)} °C`],
    ['Supply voltage', `${(sensors.supplyMillivolts() / 1000).toFixed(1)} V`],
    ['Ignition', sensors.ignition() ? 'on' : 'off'],
  ];
}

/** Numbers that identify the router in the mobile network. */
export function simReadings(router: RouterView): Reading[] {
  const { iccid, imsi, msisdn, eid, imei, carrier, apn } = router.platform.modem.identity();
  return [
    ['Carrier', orNone(carrier)],
    ['ICCID', iccid],
    ['IMSI', imsi],
    ['Number', orNone(msisdn)],
    ['EID', orNone(eid)],
    ['IMEI', imei],
    ['APN', orNone(apn)],
  ];
}

/** One row for each slot. */
export function firmwareReadings(router: RouterView): Reading[] {
  const { flash } = router.updates();
  return ([1, 2] as const).map((slot) => {
    const { version, status } = slotOf(router.updates(), slot);
    if (flash.active === slot) return [`Slot ${slot}`, `${version} (running)`];
    return [`Slot ${slot}`, status === 'NoImage' ? 'empty' : `${version} (${status})`];
  });
}

/** Whole seconds as text: '3 d 4 h', '12 min 5 s'. */
export function duration(seconds: number): string {
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ];
  const first = parts.findIndex(([count]) => count > 0);
  return first === -1
    ? '0 s'
    : parts
        .slice(first, first + 2)
        .map(([count, unit]) => `${count} ${unit}`)
        .join(' ');
}

function bytes(count: number): string {
  return count < 1_000_000 ? `${(count / 1_000).toFixed(1)} kB` : `${(count / 1_000_000).toFixed(1)} MB`;
}

const SIGNAL_LEVELS = ['none', 'weak', 'fair', 'good', 'strong'];

/** 0 to 4, like on a phone. */
export function signalBars(router: RouterView): number {
  const { registered, rsrp } = router.platform.modem.signal();
  return registered ? 1 + [-110, -100, -85].filter((least) => rsrp >= least).length : 0;
}

function orNone(text: string): string {
  return text === '' ? '--' : text;
}
