import {
  alerts,
  approvals,
  devices,
  identityProviders,
  inventory,
  networks,
  type Operation,
  recordings,
  remoteClients,
  roles,
  routerBackups,
  routerPasswords,
  summaries,
  tools,
  usage,
  usagePlans,
} from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { button, example, Failed, startConsole } from '../testing/console.tsx';

// A dialog whose entity was saved by another user meanwhile says so, and saves again on the version that it has named.

type Console = ReturnType<typeof startConsole>;

interface Form {
  readonly path: string;
  readonly opener: string | RegExp;
  readonly call: Operation;
  /** Changes a field, and the button that saves. */
  readonly change: (console: Console) => Promise<void>;
  /** Answers the entity in a version: to calls that read it, and to the stale save. */
  readonly store: (console: Console, version: number) => unknown;
}

const rename: Form['change'] = ({ user }) => user.type(screen.getByLabelText(/^Name/u), ' two');
const toggle =
  (name: string): Form['change'] =>
  async ({ user }) =>
    user.click(await screen.findByRole('checkbox', { name }));

const forms: readonly Form[] = [
  {
    path: '/alerts/rules',
    opener: 'Old',
    call: alerts.saveRule,
    change: rename,
    store({ respond }, version) {
      const rule = {
        ...example(alerts.listRules).result[0]!,
        name: 'Old',
        forSeconds: 300,
        actions: [],
        enabled: false,
        version,
      };
      respond(alerts.listRules, { result: [rule] });
    },
  },
  {
    path: '/usage/plans',
    opener: 'Edit',
    call: usagePlans.savePlan,
    change: rename,
    store({ respond }, version) {
      const plan = { ...example(usagePlans.listPlans).result[0]!, name: 'Old', version };
      respond(usagePlans.listPlans, { result: [plan] });
      respond(usage.usageMonth, { result: { ...example(usage.usageMonth).result, nextZone: null } });
      return plan;
    },
  },
  {
    path: '/roles',
    opener: 'Old',
    call: roles.saveRole,
    change: rename,
    store({ respond }, version) {
      const role = { ...example(roles.listRoles).result[0]!, name: 'Old', people: 0, version: String(version) };
      respond(roles.listRoles, { result: [role], total: 1 });
      respond(roles.listRights, { result: [], withheld: [] });
      return role;
    },
  },
  {
    path: '/identity-providers',
    opener: 'Old',
    call: identityProviders.saveProvider,
    async change(console) {
      await console.user.click(button('Edit'));
      await rename(console);
    },
    store({ sendList }, version) {
      const provider = {
        ...example(identityProviders.listProviders).result[0]!,
        name: 'Old',
        breakGlass: [],
        domains: [],
        version: String(version),
      };
      sendList(identityProviders.listProviders, [provider]);
      return provider;
    },
  },
  {
    path: '/summaries',
    opener: 'Edit',
    call: summaries.saveSummary,
    change: rename,
    store({ respond }, version) {
      const summary = { ...example(summaries.listSummaries).result[0]!, name: 'Old', version: String(version) };
      respond(summaries.listSummaries, { result: [summary], total: 1 });
      return summary;
    },
  },
  {
    path: '/approvals',
    opener: 'What waits',
    call: approvals.saveApprovalPolicy,
    change: toggle('Factory resets'),
    store({ respond }, version) {
      const result = { ...example(approvals.getApprovalPolicy).result, factoryReset: false, version: String(version) };
      respond(approvals.getApprovalPolicy, { result });
    },
  },
  {
    path: '/recordings',
    opener: 'Settings',
    call: recordings.saveRecordingSettings,
    change: toggle('Record terminals that are opened from now on'),
    store({ respond, sendList }, version) {
      const settings = { recorded: false, days: 90, version: String(version) };
      sendList(recordings.listRecordings, []);
      respond(recordings.getRecordingSettings, { result: settings });
      return settings;
    },
  },
  {
    path: '/devices/setting?device=bus&tab=clients',
    opener: 'Who may open clients',
    call: remoteClients.saveClientRule,
    change: async ({ user }) => user.selectOptions(screen.getByLabelText('May open clients'), 'both'),
    store({ respond }, version) {
      const rule = { ...remoteClients.usualClientRule, version: String(version) };
      respond(devices.getDevice, { result: { ...example(devices.getDevice).result, presence: 'online' } });
      respond(remoteClients.getClientAccess, {
        result: { ...example(remoteClients.getClientAccess).result, obstacle: 'off', rule, own: null },
      });
      return rule;
    },
  },
  {
    path: '/devices/setting?device=bus&tab=clients',
    opener: 'What is kept',
    call: networks.saveClientSettings,
    change: async ({ user }) => user.selectOptions(screen.getByLabelText('Of clients'), 'use'),
    store({ respond }, version) {
      const settings = { keep: 'list' as const, days: 30 as const, version: String(version) };
      respond(devices.getDevice, { result: { ...example(devices.getDevice).result, presence: 'online' } });
      respond(networks.readClientUse, { result: { ...example(networks.readClientUse).result, settings } });
      return settings;
    },
  },
  {
    path: '/commands/passwords',
    opener: 'Password settings',
    call: routerPasswords.savePasswordSettings,
    change: toggle('With punctuation'),
    store({ respond, sendList }, version) {
      const settings = { length: 16, symbols: false, rotateDays: null, automatic: false, version: String(version) };
      sendList(routerPasswords.listRouterPasswords, []);
      respond(routerPasswords.readPasswordSettings, { result: settings });
      return settings;
    },
  },
  {
    path: '/backups',
    opener: 'Backup settings',
    call: routerBackups.saveSettings,
    change: toggle('Back up routers every night'),
    store({ respond, sendList }, version) {
      const { result } = example(routerBackups.readSettings);
      const settings = { ...result, nightly: false, version: String(version) };
      sendList(routerBackups.listOverdue, []);
      respond(routerBackups.readSettings, { result: settings });
      return settings;
    },
  },
  {
    path: '/devices/setting?device=bus&tab=tools',
    opener: 'Change',
    call: tools.saveTargets,
    change: async ({ user }) => user.selectOptions(screen.getByLabelText('Ping, traceroute and DNS servers'), 'public'),
    store({ respond }, version) {
      const targets = { allow: 'any' as const, ranges: [], version: String(version) };
      respond(devices.getDevice, { result: { ...example(devices.getDevice).result, presence: 'online' } });
      respond(tools.listRuns, { result: [], next: null });
      respond(tools.listSpeeds, { result: [] });
      respond(tools.listOffered, { result: ['ping'] });
      respond(tools.getTargets, { result: targets });
      return targets;
    },
  },
];

const versionOf = ({ ifMatch, body }: { readonly ifMatch: string | undefined; readonly body: unknown }) =>
  ifMatch ?? `"${String((body as { readonly version: number }).version)}"`;

test.each(forms)(
  'SHR-06-partial $call.id: who saves what another user has changed is shown that, and may save again on it',
  async (form) => {
    const console = startConsole();
    const { open, respond, requests, user } = console;
    form.store(console, 3);
    await open(form.path);
    await user.click(await screen.findByRole('button', { name: form.opener }));
    await form.change(console);
    respond(form.call, () => new Failed('conflict.stale', { detail: form.store(console, 7) }));
    const dialog = within(screen.getAllByRole('dialog').at(-1)!);
    const save = () => user.click(dialog.getByRole('button', { name: 'Save' }));
    await save();
    const message = await screen.findByRole('alertdialog');
    expect(message.textContent).toMatch(/Someone else changed .* Your changes are still here; save again to overwrite\./u);
    await user.click(within(message).getByRole('button', { name: 'OK' }));
    await save();
    await expect.poll(() => requests(form.call).map(versionOf)).toEqual(['"3"', '"7"']);
  },
);

test('SHR-06-partial a form follows what others save: rules for a second person are not based on what was read since', async () => {
  const console = startConsole();
  const { open, respond, push, loaded, requests, user } = console;
  const form = forms.find(({ path }) => path === '/approvals')!;
  form.store(console, 3);
  await open(form.path);
  await user.click(button(form.opener));
  await form.change(console);
  form.store(console, 4);
  const { result } = example(approvals.getApprovalPolicy);
  respond(approvals.getApprovalPolicy, { result: { ...result, factoryReset: false, settings: !result.settings, version: '4' } });
  push('approvals');
  await loaded();
  respond(form.call, () => new Failed('conflict.stale'));
  await user.click(button('Save'));
  await expect.poll(() => requests(form.call).map(versionOf)).toEqual(['"3"']);
  await screen.findByRole('alertdialog');
});

test('NOD-05-partial report intervals that another user saved meanwhile are not set back', async () => {
  const { open, respond, push, loaded, requests, user, fill } = startConsole({ role: 'main' });
  const send = (other: number) => {
    const models = [
      { model: 'HL-R320', reportSeconds: 30 },
      { model: 'HL-R520', reportSeconds: other },
    ];
    respond(inventory.listModelSettings, { result: { reportSeconds: 60, models } });
  };
  send(30);
  await open('/inventory');
  await user.click(button('Report intervals'));
  await fill(await screen.findByRole('textbox', { name: 'HL-R320' }), '45');
  send(90);
  push('inventory');
  await loaded();
  await user.click(button('Save'));
  await expect
    .poll(() => requests(inventory.saveModelSettings).map(({ body }) => body.models))
    .toEqual([[{ model: 'HL-R320', reportSeconds: 45 }]]);
});
