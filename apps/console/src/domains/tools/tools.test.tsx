import { devices, tools } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { example, startConsole } from '../../testing/console.tsx';
import { neutralText } from './neutral-text.ts';

type Run = tools.ToolRun;

const STARTED = '2026-11-23T15:20:00Z';
const running: Run = {
  id: 'run-2',
  device: '',
  input: { tool: 'ping', host: 'depot.example', ipVersion: 'any', count: 4, bytes: 32 },
  state: 'running',
  by: 'ana@lakeshore.example',
  rule: null,
  started: STARTED,
  ended: null,
  result: null,
  failure: null,
  file: null,
};
const pinged = (id: string, average: number, started = STARTED): Run => ({
  ...running,
  id,
  started,
  state: 'done',
  ended: started,
  result: { tool: 'ping', status: 'complete', address: '192.0.2.7', answered: 3, lost: 1, least: 20, average, most: 90 },
});

interface Options {
  readonly role?: 'admin' | 'user' | 'main';
  readonly isOnline?: boolean;
  readonly runs?: readonly Run[];
  readonly speeds?: readonly tools.MeasuredSpeed[];
  readonly language?: 'en-US' | 'zh-TW';
  readonly timers?: 'real' | 'fake';
}

/** The tools of a device, with these tests. */
async function startTools(
  { role = 'admin', isOnline = true, runs = [], speeds = [], language = 'en-US', timers = 'real' }: Options = {},
  run?: string,
) {
  const console = startConsole({ role, language, timers });
  const { result } = example(devices.getDevice);
  console.respond(devices.getDevice, { result: { ...result, presence: isOnline ? 'online' : 'offline' } });
  console.respond(tools.listRuns, { result: runs.map((each) => ({ ...each, device: result.device })), next: null });
  console.respond(tools.listSpeeds, { result: [...speeds] });
  console.respond(tools.getTargets, { result: { allow: 'any', ranges: [], version: 'a' } });
  console.respond(tools.listOffered, { result: ['ping', 'traceroute', 'dns', 'download', 'capture', 'log'] });
  const show = (found: Run, earlier: readonly Run[] = []) => {
    console.respond(tools.getRun, { result: { run: found, earlier: [...earlier] } });
    console.push('tools');
  };
  return {
    ...console,
    device: result.device,
    show,
    open: async () => {
      await console.open(`/devices/setting?device=${result.device}&tab=tools${run === undefined ? '' : `&run=${run}`}`);
      await screen.findByRole('region', { name: 'Run a test' });
    },
    form: () => within(screen.getByRole('region', { name: 'Run a test' })),
    result: () => within(screen.getByRole('region', { name: 'Result' })),
  };
}

test('LIV-04-partial a ping is checked, run, shown live and compared with the one before', async () => {
  const { user, open, respond, show, requests, form, result, device } = await startTools();
  await open();
  const host = await form().findByLabelText(/^Host name or address/u);
  expect(await screen.findByText('No tests yet.')).toBeTruthy();
  await user.click(form().getByRole('button', { name: 'Run' }));
  expect(await form().findByText('Please enter the Host name or address')).toBeTruthy();
  await user.type(host, '-c 5 depot');
  await user.click(form().getByRole('button', { name: 'Run' }));
  expect(await form().findByText('Invalid Host name or address format')).toBeTruthy();
  await user.clear(host);
  await user.type(host, 'depot.example');
  respond(tools.runTool, { result: running });
  respond(tools.getRun, { result: { run: running, earlier: [] } });
  await user.click(form().getByRole('button', { name: 'Run' }));
  expect(await screen.findByRole('region', { name: 'Result' })).toBeTruthy();
  expect(requests(tools.runTool)[0]).toMatchObject({
    params: { device },
    body: { input: { tool: 'ping', host: 'depot.example', ipVersion: 'any', count: 4, bytes: 32 } },
  });
  expect(await result().findByText('Running')).toBeTruthy();
  show(pinged('run-2', 40), [pinged('run-1', 30, '2026-11-23T14:20:00Z')]);
  expect(await result().findByText('3 of 4')).toBeTruthy();
  expect(result().getByText('20 ms · 40 ms · 90 ms')).toBeTruthy();
  expect(result().getByText('30 ms · 10 ms more than before')).toBeTruthy();
  expect(result().getByRole('region', { name: 'Average time' })).toBeTruthy();
});

test.each([
  [['192.0.2.1', '192.0.2.7'], 'as before'],
  [['192.0.2.9', '192.0.2.7'], 'different'],
])('LIV-04-partial a way over other hops, and other addresses of a name, differ from those before: %s', async (before, said) => {
  const route = (id: string, addresses: readonly string[]): Run => ({
    ...pinged(id, 0),
    input: { tool: 'traceroute', host: 'depot.example', ipVersion: 'any', hops: 20 },
    result: {
      tool: 'traceroute',
      status: 'complete',
      address: '192.0.2.7',
      hops: addresses.map((address) => ({ host: '', address, times: [1] })),
    },
  });
  const lookup = (id: string, addresses: readonly string[]): Run => ({
    ...pinged(id, 0),
    input: { tool: 'dns', host: 'depot.example', server: '' },
    result: {
      tool: 'dns',
      status: 'complete',
      answers: [{ status: 'found', addresses: [...addresses], server: '192.0.2.53', milliseconds: 5 }],
    },
  });
  const { open, show, result } = await startTools({}, 'run-2');
  show(route('run-2', ['192.0.2.1', '192.0.2.7']), [route('run-1', before)]);
  await open();
  expect(await result().findByText(`2 hops · ${said}`)).toBeTruthy();
  show(lookup('run-2', ['192.0.2.7', '192.0.2.1']), [lookup('run-1', before)]);
  expect(await result().findByText(`${before.join(', ')} · ${said}`)).toBeTruthy();
});

test('LIV-06-partial a support bundle is of the period that was chosen', async () => {
  const { user, open, respond, requests } = await startTools();
  respond(tools.readSupportBundle, 'zip');
  await open();
  const panel = within(screen.getByRole('region', { name: 'Support bundle' }));
  await user.selectOptions(panel.getByLabelText('Period'), 'The last 30 days');
  await user.click(panel.getByRole('button', { name: 'Download the file' }));
  await vi.waitFor(() => expect(requests(tools.readSupportBundle)[0]).toMatchObject({ query: { days: 30 } }));
});

test('LIV-05-partial a speed test says its bytes first and asks', async () => {
  const { user, open, fail, requests, form } = await startTools();
  await open();
  await user.selectOptions(await form().findByLabelText('Test'), 'Speed test, download');
  await user.selectOptions(form().getByLabelText('Size'), '10000000');
  await user.click(form().getByRole('button', { name: 'Run' }));
  const question = within(await screen.findByRole('alertdialog'));
  expect(question.getByText('The router transfers 10.0 MB over its SIM. They count as data used.')).toBeTruthy();
  await user.click(question.getByRole('button', { name: 'Cancel' }));
  expect(requests(tools.runTool)).toEqual([]);
  fail(tools.runTool, 'tool.plan_used_up');
  await user.click(form().getByRole('button', { name: 'Run' }));
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Run' }));
  expect(await screen.findByText(/has less left than the test transfers/u)).toBeTruthy();
});

test('LIV-04-partial what the router lacks cannot be run, and says why', async () => {
  const { user, open, form } = await startTools();
  await open();
  await user.selectOptions(await form().findByLabelText('Test'), 'Speed test, upload');
  expect(await form().findByText(/^This router does not offer this test/u)).toBeTruthy();
  expect(form().getByRole('button', { name: 'Run' }).getAttribute('aria-disabled')).toBe('true');
});

test('LIV-04-partial an offline router, and a role that may not, are named', async () => {
  const { open, form, requests } = await startTools({ isOnline: false });
  await open();
  expect(await form().findByText(/^The router is offline/u)).toBeTruthy();
  expect(requests(tools.listOffered)).toEqual([]);
});

test.each(['user', 'main'] as const)('LIV-04-partial for the role %s results are to read', async (role) => {
  const { open, form, show, result } = await startTools({ role, runs: [pinged('run-1', 30)] }, 'run-1');
  show(pinged('run-1', 30));
  await open();
  expect(await form().findByText('Only admins can run tests.')).toBeTruthy();
  expect(await result().findByText('3 of 4')).toBeTruthy();
  expect(await screen.findByText('depot.example')).toBeTruthy();
});

test('LIV-06-partial a log is shown without effect of what it contains, and downloaded', async () => {
  const log: Run = {
    ...running,
    id: 'log',
    input: { tool: 'log' },
    state: 'done',
    result: { tool: 'log', status: 'complete' },
    file: { bytes: 12, sha256: 'ab' },
  };
  const { user, open, show, respond, result } = await startTools({ runs: [log] }, 'log');
  show(log);
  respond(tools.readRunFile, 'up\u001B[2J <b>down</b>');
  await open();
  await user.click(await result().findByRole('button', { name: 'Show the log' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText('up\u241B[2J <b>down</b>')).toBeTruthy();
});

test('LIV-04-partial a failure names its cause and the message of the router', async () => {
  const failed: Run = { ...running, state: 'failed', failure: { cause: 'rejected', message: 'not now' } };
  const { open, show, result } = await startTools({}, 'run-2');
  show(failed);
  await open();
  expect(await result().findByText(/The router rejected it\. It says: not now/u)).toBeTruthy();
});

test('LIV-04-partial a link to a test that was deleted says so', async () => {
  const { open, fail, result } = await startTools({}, 'run-2');
  fail(tools.getRun, 'tool.not_found');
  await open();
  expect(await result().findByText(/^This test no longer exists/u)).toBeTruthy();
});

test('LIV-06-partial control characters and marks of direction become visible symbols', () => {
  expect(neutralText('a\u001B]0;x\u0007\r\nb\u202Ec\tD\u009B')).toBe('a\u241B]0;x\u2407\nb\u{FFFD}c\tD\u{FFFD}');
});

test('LIV-05-partial speed tests are a chart over time, and say that no position is known until one is', async () => {
  const measured = (run: string, at: string, bitsPerSecond: number) => ({
    run,
    tool: 'download' as const,
    at,
    bitsPerSecond,
    place: null,
  });
  const speeds = [measured('b', '2026-11-23T15:28:00Z', 24_000_000), measured('a', '2026-11-22T15:20:00Z', 12_000_000)];
  const { open, respond, advance } = await startTools({ speeds, timers: 'fake' });
  await open();
  const panel = within(await screen.findByRole('region', { name: 'Speed tests' }));
  expect(panel.getByRole('region', { name: 'Download speed' })).toBeTruthy();
  expect(panel.queryByRole('region', { name: 'Upload speed' })).toBeNull();
  expect(panel.getByText(/^No position is known/u)).toBeTruthy();
  // The router may report later where it was.
  respond(tools.listSpeeds, { result: speeds.map((speed) => ({ ...speed, place: { latitude: 41.9, longitude: -87.6 } })) });
  await advance(15_000);
  expect(await panel.findByText('2 places')).toBeTruthy();
  expect(panel.queryByText(/^No position is known/u)).toBeNull();
});

test('LIV-04-partial an admin restricts the addresses that may be tested, and a user reads them', async () => {
  const { user, open, form, respond, fail, requests } = await startTools();
  await open();
  expect(await form().findByText(/^Any address may be tested/u)).toBeTruthy();
  await user.click(form().getByRole('button', { name: 'Change' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.selectOptions(dialog.getByLabelText('Ping, traceroute and DNS servers'), 'Only listed networks');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText('Enter 1 to 50 networks.')).toBeTruthy();
  fail(tools.saveTargets, 'tool.range_invalid', { field: 'ranges' });
  await user.type(dialog.getByLabelText(/^Networks/u), '10.0.0.0/33');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText(/^This is no network in CIDR notation/u)).toBeTruthy();
  await user.clear(dialog.getByLabelText(/^Networks/u));
  await user.type(dialog.getByLabelText(/^Networks/u), '10.0.0.0/8');
  const saved = { allow: 'listed' as const, ranges: ['10.0.0.0/8'], version: 'b' };
  respond(tools.saveTargets, { result: saved });
  respond(tools.getTargets, { result: saved });
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await form().findByText('Only these networks may be tested: 10.0.0.0/8')).toBeTruthy();
  expect(requests(tools.saveTargets).at(-1)!.body).toEqual({ allow: 'listed', ranges: ['10.0.0.0/8'] });
});
