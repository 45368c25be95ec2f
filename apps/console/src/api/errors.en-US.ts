import { failuresOfPeople } from '@highline/contract';

type Flat<Key extends string> = Key extends `${infer Head}.${infer Tail}` ? `${Head}_${Flat<Tail>}` : Key;

/** The message of every failure that a person meets, of a server that does not answer, and of a fault of the console itself. */
export type ErrorMessages = Readonly<Record<Flat<keyof typeof failuresOfPeople> | 'network' | 'unexpected', string>>;

/** English comes from the contract, except where the screen text differs from the API message. */
export const errors = {
  ...Object.fromEntries(Object.entries(failuresOfPeople).map(([key, { message }]) => [key.replaceAll('.', '_'), message])),
  session_invalid: 'Auth token timeout',
  device_duplicate: 'Existing serial number',
  group_name_taken: 'Group Name already exists',
  inventory_serial_taken: 'Serial number already exists',
  inventory_mac_taken: 'MAC address already exists',
  inventory_endpoint_taken: 'Endpoint ID already exists',
  unexpected: 'Something went wrong. Reload the page and try again.',
  network: 'Cannot reach the server. What you typed is kept; try again.',
} as ErrorMessages;
