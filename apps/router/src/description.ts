import {
  makeEid,
  makeIccid,
  makeImei,
  makeImsi,
  makeMsisdn,
  normalizeMac,
  parseEndpointId,
  routerEndpointId,
} from '@highline/usp';
import { z } from 'zod';
import { cityRoutes } from './platform/city-routes.ts';
import { wanKinds } from './platform/simulated-networks.ts';
import { seedOf } from './platform/random.ts';

const MAX_SERIAL = 43; // > an endpoint id's instance has at most 50 characters: OUI, dash, serial
const name = z.string().max(64);

/** Powers off and on by itself: every `offEverySeconds` on average, for `offSeconds`. */
const flaky = z.strictObject({
  offEverySeconds: z.number().positive().max(86_400),
  offSeconds: z.number().positive().max(86_400),
});

/** Has no coverage while its carrier is away: first `firstSeconds` after the start, then every `everySeconds`, for `seconds`. */
const outages = z
  .strictObject({
    firstSeconds: z.number().positive().max(86_400),
    everySeconds: z.number().positive().max(86_400),
    seconds: z.number().positive().max(86_400),
  })
  .refine(({ everySeconds, seconds }) => seconds < everySeconds, { path: ['seconds'], error: 'expected less than everySeconds' });

/**
 * One router, as an entry of a fleet file or as command line options. Missing modem and SIM numbers are derived from the serial
 * number, identically in every run; `eid: ""` is a SIM without eUICC.
 */
export const routerDescription = z
  .strictObject({
    serial: z.string().min(1).max(MAX_SERIAL),
    /** 12 hex digits in any notation. */
    mac: z.string().transform((text, context) => {
      const mac = normalizeMac(text);
      if (mac === undefined) context.addIssue({ code: 'custom', message: 'expected 12 hex digits' });
      return mac ?? '';
    }),
    /** Part of its address; optional with a client certificate. */
    secret: z.string().default(''),
    /** PEM files of its client certificate and key; both or neither. Read again for every connection. */
    clientCert: z.string().min(1).optional(),
    clientKey: z.string().min(1).optional(),
    model: name.min(1),
    firmware: name.default('1.0.0'),
    /** Name of the installed config file. */
    config: name.optional(),
    hardwareVersion: name.default('A1'),
    carrier: name.default('Testnet'),
    apn: name.default('internet'),
    imei: z.string().optional(),
    imsi: z.string().optional(),
    iccid: z.string().optional(),
    msisdn: z.string().optional(),
    eid: z.string().optional(),
    /** The vehicle it is installed in, e.g. 'Bus 12'. */
    vehicle: name.default(''),
    /** Start of its route: [latitude, longitude] in degrees. */
    home: z.tuple([z.number().min(-90).max(90), z.number().min(-180).max(180)]).optional(),
    /** The way that it drives, by its name in platform/city-routes.ts, instead of one around its home. */
    route: z.enum(cityRoutes).optional(),
    /** What is plugged into its WAN port, an uplink that comes before the modem; left out: nothing. */
    wan: z.enum(wanKinds).optional(),
    /** When that uplink is down. */
    wanOutages: outages.optional(),
    /** When its vehicle is parked. */
    parking: outages.optional(),
    /** Its radios were switched off before its first start. */
    radiosOff: z.boolean().optional(),
    /** It never has a satellite fix. */
    gnssOff: z.boolean().optional(),
    /** Address of this machine on which the ports listen that it forwards; left out: none does. */
    forwardsOn: z.ipv4().optional(),
    /** How often its newest position changes while it drives; left out: every 30 s. */
    fixSeconds: z.number().int().min(1).max(3_600).optional(),
    /** How far its clock is ahead of true time. */
    clockSkewSeconds: z.number().default(0),
    flaky: flaky.optional(),
    outages: outages.optional(),
  })
  .superRefine(({ serial, mac, secret, clientCert, clientKey }, context) => {
    if (secret === '' && clientCert === undefined)
      context.addIssue({ code: 'custom', path: ['secret'], message: 'expected a secret, or a client certificate' });
    if ((clientCert === undefined) !== (clientKey === undefined))
      context.addIssue({
        code: 'custom',
        path: [clientCert === undefined ? 'clientCert' : 'clientKey'],
        message: 'requires the other',
      });
    if (serial.length > 0 && mac !== '' && !hasEndpointId(mac, serial)) {
      context.addIssue({ code: 'custom', path: ['serial'], message: 'makes no valid endpoint id: too long once escaped' });
    }
  });

/** Input format: optional fields may be missing. */
export type RouterDescriptionInput = z.input<typeof routerDescription>;
export type RouterDescription = z.output<typeof routerDescription>;

/** The file of a fleet: a JSON array of router descriptions, no serial twice. */
export const fleetFile = z.array(routerDescription).superRefine((routers, context) => {
  const seen = new Set<string>();
  routers.forEach(({ serial }, at) => {
    if (seen.has(serial)) context.addIssue({ code: 'custom', path: [at, 'serial'], message: `${serial} is there twice` });
    seen.add(serial);
  });
});

/** Numbers of a router's modem and SIM, given or derived. */
export function modemNumbers(router: RouterDescription): {
  imei: string;
  imsi: string;
  iccid: string;
  msisdn: string;
  eid: string;
} {
  const n = seedOf(router.serial) % 1_000_000;
  return {
    imei: router.imei ?? makeImei(n),
    imsi: router.imsi ?? makeImsi(n),
    iccid: router.iccid ?? makeIccid(n),
    msisdn: router.msisdn ?? makeMsisdn(n),
    eid: router.eid ?? makeEid(n),
  };
}

function hasEndpointId(mac: string, serial: string): boolean {
  try {
    return parseEndpointId(routerEndpointId(mac.slice(0, 6), serial)) !== undefined;
  } catch {
    return false;
  }
}
