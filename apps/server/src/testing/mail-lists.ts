import type { alertPeople } from '@highline/contract';
import { expect } from 'vitest';
import { weakSignal } from './alert-fleet.ts';
import { inject, type TestCall } from './inject.ts';

// The lists of addresses of an organization, for tests of who stays on them.

type Server = Parameters<typeof inject>[0];
const PEOPLE = '/data_manager/v1/alerts/people';

/** Put addresses on every list: alerts, a rule and whom it is escalated to, notifications and a summary. */
export async function listEverywhere(server: Server, as: TestCall['as'] & object, ...mails: readonly string[]): Promise<void> {
  const alerts = { severities: ['critical'], hours: null, channels: ['mail'], language: 'en-US', zone: 'UTC' };
  const rule = { ...weakSignal, channels: { mails, escalation: { afterMinutes: 5, mails }, quiet: null } };
  const daily = { kind: 'inventory', format: 'csv', zone: 'UTC', language: 'en-US', every: 'day', onDay: 1, hour: 6 };
  for (const [method, path, body] of [
    ...mails.map((mail) => ['PUT', PEOPLE, { ...alerts, mail }] as const),
    ...mails.map((mail) => ['POST', '/data_manager/v1/notify/user', { mail, events: ['BATTERY_LOW'] }] as const),
    ['POST', '/data_manager/v1/alerts/rules', rule],
    ['POST', '/data_manager/v1/dm/summaries', { ...daily, name: 'Fleet', recipients: mails }],
  ] as const) {
    const { status, text } = await inject(server, method, path, { as, body });
    expect(status, text).toBe(200);
  }
}

/** What the page *Who is notified* says that an address gets. */
export async function readListed(server: Server, as: TestCall['as'] & object, mail: string): Promise<string[]> {
  const { json } = await inject(server, 'GET', PEOPLE, { as, query: { limit: 50 } });
  const found = (json.result as alertPeople.AlertPerson[]).find((each) => each.mail === mail);
  const { severities = [], rules = [], events = [], reports = [] } = found ?? {};
  return [...severities, ...rules.map(({ name }) => name), ...events, ...reports.map(({ name }) => name)];
}

/** All of it. */
export const EVERYTHING = ['critical', weakSignal.name, 'BATTERY_LOW', 'Fleet'];
