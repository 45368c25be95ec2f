import { routerEndpointId } from '@highline/usp';
import { makeMac } from '../identity.ts';

/** The router whose writes are walked over. */
export const WALKER = {
  serial: 'HL-WALK',
  mac: makeMac(77),
  secret: 'walker',
  model: 'HL-500',
  firmware: '2.1.0',
  config: 'city.json',
};
export const WALKER_ID = routerEndpointId(WALKER.mac.slice(0, 6), WALKER.serial);
