import { configs, devices, logs, routerSettings, timeline, usage } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { example, startConsole } from '../../testing/console.tsx';

const north = { id: 'north', name: 'North' };
const limited = { limitedTo: { groups: [north], tags: [] } };
const closed = '/devices/list?group=north';

/** The console with a group on every page that leads to it. */
function startPages(...options: Parameters<typeof startConsole>) {
  const tools = startConsole(...options);
  const { respond, sendList } = tools;
  const at = {
    id: '1',
    at: 1_764_000_000,
    kind: 'rollout',
    file: 'config',
    label: 'night.cfg',
    state: 'done',
    reason: '',
  } as const;
  respond(timeline.deviceTimeline, { result: [{ ...at, group: 'north' }], next: null });
  const device = example(devices.getDevice).result;
  respond(devices.getDevice, { result: { ...device, device: 'one', group: 'north', group_name: 'North' } });
  sendList(usage.listUsage, [{ ...example(usage.listUsage).result[0]!, id: 'north', name: 'North' }]);
  const config = example(configs.getConfig).result;
  respond(configs.getConfig, { result: { ...config, boundBy: [{ group: 'north', groupName: 'North', version: 1 }] } });
  const level = example(routerSettings.readSettings).result;
  respond(routerSettings.readSettings, { result: { ...level, name: 'North' } });
  const linkOf = async (name: string) => (await screen.findByRole('link', { name })).getAttribute('href');
  return { ...tools, linkOf };
}

describe('IAM-04-partial a group leads to its devices where its page is closed:', () => {
  const pages = [
    ['/devices/setting?device=one&tab=timeline', 'Open group'],
    ['/devices/setting?device=one', 'North'],
    ['/usage?by=groups', 'North'],
    ['/groups/configSetting?config=night', 'North'],
    ['/groups/settings?group=north', 'North'],
  ] as const;

  test.each(pages)('for a limited admin on %s', async (path, name) => {
    const { open, linkOf } = startPages({ session: limited });
    await open(path);
    expect(await linkOf(name)).toBe(closed);
  });

  test.each(pages)('but not for another admin on %s', async (path, name) => {
    const { open, linkOf } = startPages();
    await open(path);
    expect(await linkOf(name)).toBe('/groups/detail?group=north');
  });

  test.each(pages.filter(([path]) => !path.includes('configSetting')))('for a user on %s', async (path, name) => {
    const { open, linkOf } = startPages({ role: 'user' });
    await open(path);
    expect(await linkOf(name)).toBe(closed);
  });

  test('for a limited admin in an entry of the log', async () => {
    const { open, sendList, user } = startPages({ session: limited });
    const entry = { ...example(logs.listLogs).result[0]!, subject: 'Changed it', about: { kind: 'group', id: 'north' } as const };
    sendList(logs.listLogs, [entry]);
    await open('/logs');
    await user.click(await screen.findByRole('button', { name: /Changed it/u }));
    const link = within(screen.getByRole('alertdialog')).getByRole('link', { name: 'Open the group' });
    expect(link.getAttribute('href')).toBe(closed);
  });
});
