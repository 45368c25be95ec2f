import { organizations } from '@highline/contract';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startConsole } from '../../testing/console.tsx';

test.each([
  ['/reports/list/record', 7],
  ['/reports/analysis', null],
] as const)(
  'NOD-05-partial %s says since when there is history: by the days of the organization (%s) or those of the installation',
  async (path, retentionDays) => {
    const { open, sendList } = startConsole({ role: 'user' });
    sendList(organizations.listOrganizations, [{ retentionDays, maxRetentionDays: 30 }]);
    await open(path);
    const since = retentionDays === null ? '30 days: since 10/24/2026' : '7 days: since 11/16/2026';
    expect(await screen.findByText(`Readings and history are kept for ${since}`, { exact: false })).toBeTruthy();
  },
);
