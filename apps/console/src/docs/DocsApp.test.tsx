// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allOperations } from '@highline/contract/all-operations';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { storeLanguage } from '../ui/language.ts';
import { DocsApp } from './DocsApp.tsx';

const description = readFileSync(join(import.meta.dirname, '../../../../packages/client/openapi.json'), 'utf8');
const calls = () => [...document.querySelectorAll('.docs__call h3')].map(({ textContent }) => textContent);

beforeEach(() => storeLanguage('en-US'));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
  history.replaceState(null, '', '/docs');
});

test('HKS-03-partial /docs shows every call, finds them by text, and shows fields and examples of each kind', async () => {
  vi.stubGlobal('fetch', async () => new Response(description));
  const user = userEvent.setup({ delay: null });
  render(<DocsApp />);
  await waitFor(() => expect(calls()).toHaveLength(allOperations.length));
  await user.click(screen.getByRole('searchbox', { name: 'Search calls' }));
  await user.paste('groups.create post');
  expect(calls()).toEqual(['groups.create']);
  expect(location.search).toBe('?q=groups.create+post');
  const call = within(document.querySelector<HTMLElement>('[id="groups.create"]')!);
  await user.click(document.querySelector('[id="groups.create"] summary')!);
  expect(call.getByRole('rowheader', { name: 'name required' })).toBeTruthy();
  const example = () => document.querySelector('[id="groups.create"] pre')?.textContent;
  expect(example()).toContain(`curl -X POST '${location.origin}/data_manager/v1/dm/group'`);
  expect(example()).toContain('Idempotency-Key');
  await user.click(call.getByRole('radio', { name: 'Client' }));
  expect(example()).toContain("highline.call('groups.create', {");
  await user.click(call.getByRole('radio', { name: 'Command line' }));
  expect(example()).toContain('highline api groups create');
});

test('HKS-03-partial in Chinese a call is found by either language, and a failure can be tried again', async () => {
  const user = userEvent.setup({ delay: null });
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  render(<DocsApp />);
  await screen.findByRole('alert');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Language' }), 'zh-TW');
  expect(screen.getByRole('alert').textContent).toContain('無法載入呼叫的說明。');
  vi.stubGlobal('fetch', async () => new Response(description));
  await user.click(screen.getByRole('button', { name: '重試' }));
  expect(screen.getByRole('heading', { name: 'Highline API 說明' })).toBeTruthy();
  expect(document.documentElement.lang).toBe('zh-TW');
  await waitFor(() =>
    expect(document.querySelector('[id="devices.list"] .docs__summary')?.textContent).toBe(
      '組織的裝置，或主帳號所有組織的裝置。',
    ),
  );
  const search = screen.getByRole('searchbox', { name: '搜尋呼叫' });
  for (const text of ['建立群組', 'move the given devices']) {
    await user.clear(search);
    await user.paste(text);
    expect(calls()).toEqual(['groups.create']);
  }
  await user.clear(search);
  await user.paste('沒有這個');
  expect(screen.getByRole('status').textContent).toContain('沒有符合的呼叫。');
});
