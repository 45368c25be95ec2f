// @vitest-environment happy-dom
import { signInPolicy, type Role } from '@highline/contract';
import { screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { subjectOf } from '../domains/permissions/subject.ts';
import { startConsole } from '../testing/console.tsx';
import { pageRoutes } from './pages.ts';

const roles: readonly Role[] = ['main', 'admin', 'user'];
const pages = pageRoutes.flatMap(({ options }) => options.staticData?.page ?? []);
/** Pages that not every role may open, from the manifests of all features. */
const restricted = pages.filter((page) => roles.some((role) => !page.roles.includes(role)));
const closedTo = (role: Role) => restricted.filter((page) => !page.roles.includes(role));

test('IAM-08-partial every page that is closed to a role has a sentence about what is there', () => {
  expect(restricted.length).toBeGreaterThan(30);
  expect(restricted.filter(({ path }) => subjectOf(path) === undefined).map(({ path }) => path)).toEqual([]);
});

describe.each(roles)('the role %s', (role) => {
  test('IAM-08 every page that it may not open says so, and keeps its address', async () => {
    const { open, visit, address } = startConsole({ role });
    await open('/');
    for (const { path } of closedTo(role)) {
      const shown = path.replace('$type', 'record');
      await visit(shown);
      expect(await screen.findByRole('heading', { level: 1, name: 'Your role may not open this page' }), shown).toBeTruthy();
      expect(address().startsWith(shown), `${shown}: ${address()}`).toBe(true);
    }
  });
});

test('IAM-08 a user sees what would be there, and the admins to ask by name', async () => {
  const { open, respond, requests } = startConsole({ role: 'user' });
  respond(signInPolicy.listAdmins, { result: { list: [{ name: 'Ben Ortiz', email: 'ben@lakeshore.example' }] } });
  await open('/users');
  expect(await screen.findByText('Here are the people of the organization, their roles and invitations.')).toBeTruthy();
  expect(screen.getByText('It is open to Admin. Your role: User.')).toBeTruthy();
  expect(await screen.findByText(/Ben Ortiz/u)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'ben@lakeshore.example' }).getAttribute('href')).toBe('mailto:ben@lakeshore.example');
  expect(requests(signInPolicy.listAdmins)).toHaveLength(1);
});

test('IAM-08 an admin is led to the company that runs the installation, the main account to its organizations', async () => {
  const admin = startConsole({ role: 'admin' });
  await admin.open('/inventory');
  expect(await screen.findByText('To get access, write to Highline Cellular, who runs this installation for you.')).toBeTruthy();
});

test('IAM-08-partial the main account is led to its organizations', async () => {
  const main = startConsole({ role: 'main' });
  await main.open('/dashboard');
  expect(await screen.findByText(/^It belongs to the people of an organization\./u)).toBeTruthy();
});
