// @vitest-environment happy-dom
import type { Role } from '@highline/contract';
import { screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { startConsole } from '../testing/console.tsx';
import { deviceList, orgDeviceList } from '../entities/devices/devices.lists.ts';
import { actionList, alertList } from '../domains/alerts/alerts.lists.ts';
import { keyList } from '../domains/api-keys/api-keys.lists.ts';
import { sentList } from '../domains/commands/sent.lists.ts';
import { linkList } from '../domains/links/links.lists.ts';
import { logList } from '../domains/logs/logs.lists.ts';
import { outageList } from '../domains/outages/outages.lists.ts';
import { recordingList } from '../domains/recordings/recordings.lists.ts';
import { reportList } from '../domains/reports/reports.lists.ts';
import { roleList } from '../domains/roles/roles.lists.ts';
import { settingsList } from '../domains/router-settings/settings.lists.ts';
import { serviceList } from '../domains/service/service.lists.ts';
import { usageList } from '../domains/usage/usage.lists.ts';
import { webhookList } from '../domains/webhooks/webhooks.lists.ts';
import type { ListSpec } from '../ui/list/spec.ts';

/** Each list without a map (map-screens.test.tsx) with filters that no choice on its page sets, and those of them that it shows in another way, or that only `custom` days use. */
const lists: readonly {
  readonly path: string;
  readonly role: Role;
  readonly spec: ListSpec;
  readonly elsewhere?: readonly string[];
}[] = [
  { path: '/alerts', role: 'admin', spec: alertList },
  { path: '/alerts/actions', role: 'admin', spec: actionList },
  { path: '/api-keys', role: 'main', spec: keyList },
  { path: '/commands/sent', role: 'admin', spec: sentList },
  { path: '/commands/sent', role: 'user', spec: sentList },
  { path: '/devices/list', role: 'admin', spec: deviceList },
  { path: '/devices/orgList', role: 'main', spec: orgDeviceList, elsewhere: ['org'] },
  { path: '/devices/service', role: 'admin', spec: serviceList },
  { path: '/groups/settings/devices', role: 'admin', spec: settingsList },
  { path: '/links', role: 'main', spec: linkList },
  { path: '/logs', role: 'admin', spec: logList, elsewhere: ['from', 'until'] },
  { path: '/outages', role: 'admin', spec: outageList },
  { path: '/recordings', role: 'admin', spec: recordingList },
  { path: '/reports/list/record', role: 'admin', spec: reportList, elsewhere: ['from', 'until', 'name', 'after'] },
  { path: '/roles', role: 'main', spec: roleList },
  { path: '/usage', role: 'main', spec: usageList },
  { path: '/webhooks', role: 'main', spec: webhookList },
];

/** The filters of a list that take any text. */
const textsOf = ({ filters }: ListSpec) => Object.keys(filters).filter((name) => filters[name] === 'text');

describe('what the address filters by is on the page', () => {
  test.each(lists)(
    'LIV-09-partial ORG-01-partial $path ($role) has a chip for each',
    async ({ path, role, spec, elsewhere = [] }) => {
      const { open } = startConsole({ role });
      const names = textsOf(spec);
      const shown = names.filter((name) => !elsewhere.includes(name));
      await open(`${path}?${names.map((name) => `${name}=some-${name}`).join('&')}`);
      expect(screen.getAllByRole('button', { name: /^Remove filter/u })).toHaveLength(shown.length);
    },
  );
});
