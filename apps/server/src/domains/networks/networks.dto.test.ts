import type { networks } from '@highline/contract';
import { expect, test } from 'vitest';
import { toNetworksDto } from './networks.dto.ts';

const client = (name: string, mac: string, addresses: string[] = []): networks.Client => ({
  name,
  mac,
  random: false,
  addresses,
  connection: 'WLAN',
  wireless: true,
  signal: null,
  since: null,
  sent: null,
  received: null,
});
const clients = [
  client('', '02:00:00:00:00:01'),
  client('Zebra', 'AA:BB:CC:DD:EE:FF', ['192.168.1.10']),
  client('Tablet 10', '02:00:00:00:00:03'),
  client('Mu\u0308ller', '02:00:00:00:00:04'),
  client('Tablet 2', '02:00:00:00:00:05'),
  client('apple', '02:00:00:00:00:06'),
];
function find(search: string): string[] {
  const tables = { clients: { readAt: new Date(0), content: { clients, total: clients.length } } };
  const context = { part: 'clients', live: false, isDataUsedUp: undefined, isOff: false, search, limit: 100 } as const;
  return toNetworksDto(tables, context).clients!.map(({ name }) => name);
}

test('LIV-02-partial clients are in natural order, and found by name, address, or MAC address in any notation', () => {
  expect(find('')).toEqual(['apple', 'Mu\u0308ller', 'Tablet 2', 'Tablet 10', 'Zebra', '']);
  for (const mac of ['AA:BB:CC:DD:EE:FF', 'aa-bb-cc-dd-ee-ff', 'aabb.ccdd.eeff', 'aabbccddeeff', 'dd ee ff'])
    expect(find(mac), mac).toEqual(['Zebra']);
  expect(find('192.168.1.10')).toEqual(['Zebra']);
  expect(find('müller')).toEqual(['Mu\u0308ller']);
  expect(find('tablet')).toEqual(['Tablet 2', 'Tablet 10']);
  expect(find('ff-ff-ff')).toEqual([]);
});
