import { expect, it } from 'vitest';
import { CellAddress, type StoredCell } from './cell-address.ts';

const HOME = 'wss://fleet.example.com/usp/secret?eid=os::1';
const CELL = 'wss://eu-1.example.com/usp/secret?eid=os::1';

function create(stored: StoredCell | null = null) {
  const kept = { cell: stored };
  const memory = { read: () => kept.cell, write: (cell: StoredCell | null) => void (kept.cell = cell) };
  return { address: new CellAddress(memory), kept };
}

it('a redirect is followed, stored over restarts, and dropped when the cell rejects the router', () => {
  const { address, kept } = create();
  expect(address.next(HOME)).toBe(HOME);
  address.redirected(CELL);
  expect(address.next(HOME)).toBe(CELL);
  address.opened();
  expect(kept.cell).toEqual({ home: 'wss://fleet.example.com', origin: 'wss://eu-1.example.com' });
  const { address: restarted } = create(kept.cell);
  expect(restarted.next(HOME)).toBe(CELL);
  expect(restarted.next(HOME.replace('fleet', 'other'))).toBe(HOME.replace('fleet', 'other'));
  restarted.next(HOME);
  restarted.failed(true);
  expect(restarted.next(HOME)).toBe(HOME);
});

it('a cell and a directory that cannot be reached are tried alternately; one that accepts the router is its cell', () => {
  const { address, kept } = create({ home: 'wss://fleet.example.com', origin: 'wss://eu-1.example.com' });
  const tried = Array.from({ length: 4 }, () => {
    const url = address.next(HOME);
    address.failed(false);
    return url;
  });
  expect(tried).toEqual([CELL, HOME, CELL, HOME]);
  address.next(HOME);
  address.failed(false);
  expect(address.next(HOME)).toBe(HOME);
  address.opened();
  expect([kept.cell, address.next(HOME)]).toEqual([null, HOME]);
});

it.each([
  [undefined, 'a redirect without an address'],
  ['http://eu-1.example.com/usp/secret?eid=os::1', 'a redirect from wss: to ws:'],
  ['ws://127.0.0.1/usp/secret?eid=os::1', 'a redirect from wss: to ws:'],
  ['file:///etc/passwd', 'a redirect from wss: to file:'],
  ['wss://a:b@eu-1.example.com/usp/secret?eid=os::1', 'a redirect with credentials'],
  ['wss://eu-1.example.com/other', 'a redirect to another path'],
])('a redirect to %s is not followed', (location, reason) => {
  const { address, kept } = create();
  address.next(HOME);
  expect(() => address.redirected(location)).toThrow(reason);
  expect(kept.cell).toBeNull();
});

it('only this machine is redirected to unencrypted, and no chain of redirects is followed without end', () => {
  const { address } = create();
  address.next('ws://fleet.example.com/usp/s');
  expect(() => address.redirected('ws://eu-1.example.com/usp/s')).toThrow('an unencrypted redirect to eu-1.example.com');
  const follow = () => {
    address.next(HOME);
    address.redirected('https://eu-1.example.com/usp/secret?eid=os::1');
  };
  for (let redirects = 0; redirects < 5; redirects++) follow();
  expect(follow).toThrow('more than 5 redirects');
});
