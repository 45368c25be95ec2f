import { routerEndpointId } from '@highline/usp';
import { makeMac } from '../identity.ts';

/** The router used for crash tests. */
export const CRASH_ROUTER = {
  serial: 'HL-WALK',
  mac: makeMac(77),
  secret: 'walker',
  model: 'HL-500',
  firmware: '2.1.0',
  config: 'city.json',
};
export const CRASH_ROUTER_ID = routerEndpointId(CRASH_ROUTER.mac.slice(0, 6), CRASH_ROUTER.serial);
