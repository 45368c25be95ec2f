import { type FailureKey, failures } from '@highline/contract';

type Flat<Key extends string> = Key extends `${infer Head}.${infer Tail}` ? `${Head}_${Flat<Tail>}` : Key;

/** The message of every failure key of the contract, and of a server that does not answer. */
export type ErrorMessages = Readonly<Record<Flat<FailureKey> | 'network', string>>;

/** English comes from the contract, except where the screen text differs from the API message. */
export const errors = {
  ...Object.fromEntries(Object.entries(failures).map(([key, { message }]) => [key.replaceAll('.', '_'), message])),
  session_invalid: 'Auth token timeout',
  device_duplicate: 'Existing serial number',
  group_name_taken: 'Group Name already exists',
  inventory_serial_taken: 'Serial number already exists',
  inventory_mac_taken: 'MAC address already exists',
  inventory_endpoint_taken: 'Endpoint ID already exists',
  network: 'Cannot reach the server. What you typed is kept; try again.',
} as ErrorMessages;
