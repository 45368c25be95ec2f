import { expect, test } from 'vitest';
import { parseOrganizationPage } from './organization-page.ts';

test('ATT-03-partial the address of an organization has its tab and the state of the list in it; anything else is dropped', () => {
  expect(
    parseOrganizationPage({ org: 'a', tab: 'devices', service: 'expiring', sort: '-vehicle', page: '2', span: 'today' }),
  ).toEqual({
    org: 'a',
    tab: 'devices',
    service: 'expiring',
    sort: '-vehicle',
    page: 2,
  });
  expect(parseOrganizationPage({ org: 'a', tab: 'log', span: 'today', service: 'expiring' })).toEqual({
    org: 'a',
    tab: 'log',
    span: 'today',
  });
  expect(parseOrganizationPage({ org: 'a', tab: 'x', page: '2' })).toEqual({ org: 'a' });
  expect(parseOrganizationPage({ org: '', tab: 'settings' })).toEqual({});
});
