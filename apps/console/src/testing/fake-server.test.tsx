import { configs, devices, groups } from '@highline/contract';
import { screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { call } from '../api/client.ts';
import { startConsole } from './console.tsx';
import { createFakeServer } from './fake-server.ts';

describe('what fails a test', () => {
  const fault = async (send: (server: ReturnType<typeof createFakeServer>) => Promise<unknown>) => {
    const server = createFakeServer('user');
    await send(server);
    return server.faults.join('; ');
  };

  test('an answer that is none of the call', async () => {
    const wrong = { result: [{ name: 7 }] } as never;
    const found = await fault((server) => {
      server.respond(groups.listGroups, wrong);
      return server.fetch(groups.listGroups.path);
    });
    expect(found).toMatch(/^The answer that the test gives to groups\.list is not one: .*expected string/u);
  });

  test('a query, a body and an address that the contract does not have', async () => {
    expect(await fault((server) => server.fetch(`${devices.listDevices.path}?limit=many`))).toMatch(
      /^The console sent a query to devices\.list that the contract does not accept: .*limit/u,
    );
    const init = { method: 'PATCH', body: new URLSearchParams({ note: 'a'.repeat(1_001) }) };
    expect(await fault((server) => server.fetch('/data_manager/v1/dm/config/one', init))).toContain('at most 1000 characters');
    expect(await fault((server) => server.fetch('/nowhere'))).toBe(
      'The console calls GET /nowhere, which is no call of the contract.',
    );
  });

  test('a call that the role may not make, unless the test answers it, and a file without content', async () => {
    expect(await fault((server) => server.fetch(configs.listConfigs.path))).toBe(
      'The console calls configs.list, which the role user may not.',
    );
    const responded = (server: ReturnType<typeof createFakeServer>) => {
      server.fail(configs.listConfigs, 'permission.denied');
      return server.fetch(configs.listConfigs.path);
    };
    expect(await fault(responded)).toBe('');
    expect(await fault((server) => server.fetch(devices.exportDevices.path))).toContain(
      'answers a file, of which the contract has no example',
    );
  });
});

test('answers are held, lost and failed, and a change is fetched', async () => {
  const { open, sendList, hold, lose, restore, push, fail, requests } = startConsole();
  sendList(groups.listGroups, [{ groupName: 'North' }]);
  await open('/groups/list');
  await screen.findByText('North');
  const before = requests(groups.listGroups).length;
  sendList(groups.listGroups, [{ groupName: 'South' }]);
  const release = hold(groups.listGroups);
  push('groups');
  await expect.poll(() => requests(groups.listGroups).length).toBeGreaterThan(before);
  expect(screen.getByText('North')).toBeTruthy();
  release();
  await screen.findByText('South');
  lose();
  await expect(call(groups.listGroups, { query: {} })).rejects.toMatchObject({ key: 'network' });
  restore();
  fail(groups.listGroups, 'server.busy', { retryAfter: 3 });
  await expect(call(groups.listGroups, { query: {} })).rejects.toMatchObject({ status: 503, key: 'server.busy', retryAfter: 3 });
});

test('opens in another language, and notes where the console leaves to', async () => {
  const { open, fail, left } = startConsole({ language: 'zh-TW', role: 'main' });
  await open('/organization');
  expect(screen.getByRole('link', { name: '庫存' })).toBeTruthy();
  fail(groups.listGroups, 'session.invalid');
  await expect(call(groups.listGroups, { query: {} })).rejects.toMatchObject({ status: 401 });
  expect(left).toEqual(['/login?next=%2Forganization&ended=1']);
});
