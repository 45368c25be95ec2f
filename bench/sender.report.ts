/** Reports of a router that the server acknowledged: epoch seconds. */
export interface Acknowledged {
  readonly endpointId: string;
  readonly seconds: readonly number[];
}

const MODEM = 'Device.Cellular.Interface.1.';
/** Its signal is weak, and is not, for so many seconds in turn. */
const WEAK_SECONDS = 37;

/** Whether a report of this second meets the rule about RSRP. */
export function isWeakAt(second: number): boolean {
  return Math.floor(second / WEAK_SECONDS) % 2 === 1;
}

/** A report with readings, counters of data used and a position. The same for the same second, so that a repeated one is recognized. */
export function reportAt(router: number, second: number): Readonly<Record<string, unknown>> {
  return {
    CollectionTime: second,
    [`${MODEM}RSSI`]: -67,
    [`${MODEM}RSRP`]: isWeakAt(second) ? -125 : -90,
    [`${MODEM}USIM.ICCID`]: `8901${String(router).padStart(15, '0')}`,
    [`${MODEM}Stats.BytesSent`]: second * 1_000,
    [`${MODEM}Stats.BytesReceived`]: second * 9_000,
    'Device.DeviceInfo.UpTime': second - 1_000_000_000,
    'Device.X_HIGHLINE_GPS.Trail': `${second},${(41 + (second % 1_000) / 10_000).toFixed(4)},-88.0,5,31.5,270`,
  };
}
