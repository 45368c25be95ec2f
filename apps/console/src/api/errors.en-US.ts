import { type FailureKey, failures } from '@highline/contract';

type Flat<Key extends string> = Key extends `${infer Head}.${infer Tail}` ? `${Head}_${Flat<Tail>}` : Key;

/** Words for every failure the product speaks of, and for a server that does not answer. */
export type ErrorMessages = Readonly<Record<Flat<FailureKey> | 'network', string>>;

/** English is the contract's own; here stands only what a person reads differently from what travels. */
export const errors = {
  ...Object.fromEntries(Object.entries(failures).map(([key, { message }]) => [key.replaceAll('.', '_'), message])),
  session_invalid: 'Auth token timeout',
  device_duplicate: 'Existing serial number',
  group_name_taken: 'Group Name already exists',
  inventory_serial_taken: 'Serial number already exists',
  inventory_mac_taken: 'MAC address already exists',
  inventory_endpoint_taken: 'Endpoint ID already exists',
  network: 'The server cannot be reached. Nothing you typed is lost; please try again.',
} as ErrorMessages;
