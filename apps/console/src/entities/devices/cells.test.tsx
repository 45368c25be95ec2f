import { cleanup, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { loadMessages } from '../../testing/messages.ts';
import { PresenceCell, ServiceCell } from './cells.tsx';
import type { Device } from './devices.api.ts';

beforeAll(() => loadMessages());
afterEach(cleanup);

const deviceWith = (part: Partial<Device>) => ({ presence_reason: null, rejected: null, ...part }) as Device;

function shown(cell: ReactNode): readonly [text: string | null, tone: string | null | undefined] {
  const { container } = render(<>{cell}</>);
  return [container.querySelector('.status')!.textContent, container.querySelector('.status__dot')?.getAttribute('data-tone')];
}

it.each([
  ['offline', null, 'Never connected', 'unknown'],
  ['offline', 1_795_435_200, 'Offline', 'bad'],
  // After a restart of the server, until its routers had the time to come back.
  ['unknown', 1_795_435_200, 'Unknown', 'unknown'],
] as const)('DEV-08-partial a router that is %s since %s is shown as %s', (presence, presence_since, text, tone) => {
  expect(shown(<PresenceCell device={deviceWith({ presence, presence_since })} />)).toEqual([text, tone]);
});

it('DEV-02-partial a subscription that starts later says when, one that ended is not subscribed', () => {
  const service = (started: string, expired: string) =>
    shown(<ServiceCell device={deviceWith({ subscription_status: 'Not subscribed', started, expired })} />)[0];
  expect(service('12/01/2099', '11/30/2100')).toBe('Starts 12/01/2099');
  cleanup();
  expect(service('12/01/2019', '11/30/2020')).toBe('Not Subscribed');
});
