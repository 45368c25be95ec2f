import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, test as base, type Locator, type Page } from '@playwright/test';
import { root } from '../scripts/toolchain.mjs';
import { createTenant, PASSWORD, serverUnderTest, type Person, type Tenant } from './tenant.ts';

/** Lines of the browser's console that are not faults: the browser's own note of a response that a test requested. */
const usualNotes = [
  /Failed to load resource: the server responded with a status of (400|401|403|404|409|410|412|413|429)/u,
  /Failed to load resource: net::ERR_/u,
  // Maps are drawn in software here, which the browser calls slow.
  /GL Driver Message \(OpenGL, Performance/u,
];

/** Whether screens are photographed for a person to look at; no test compares these pictures. */
export const TAKES_PICTURES = process.env['HIGHLINE_E2E_PICTURES'] !== undefined;

/** Maximum delay in ms of each call before it is sent and before its response is delivered; none by default. */
const LATENCY = Number(process.env['HIGHLINE_E2E_LATENCY'] ?? 0);

/** How far the clocks of all programs of this run are moved (npm test -- --now). */
const MOVED_MS = Number(process.env['HIGHLINE_TEST_MOVED_MS'] ?? 0);

interface Fixtures {
  /** Further expected console lines, in tests that break something on purpose. */
  readonly expectedNotes: readonly RegExp[];
  /** Fails the test on any error of the page or its console. */
  readonly quiet: void;
}

/** The world of one spec file: what another file did before it in the same worker must not show. */
interface Tenants {
  of(file: string): Promise<Tenant>;
}

export const test = base.extend<Fixtures & { tenant: Tenant }, { tenants: Tenants }>({
  tenants: [
    async ({}, use) => {
      let current: { readonly file: string; readonly tenant: Tenant } | undefined;
      await use({
        async of(file) {
          if (current?.file === file) return current.tenant;
          await current?.tenant.close();
          current = { file, tenant: await createTenant() };
          return current.tenant;
        },
      });
      await current?.tenant.close();
    },
    { scope: 'worker' },
  ],
  tenant: async ({ tenants }, use, { file }) => use(await tenants.of(file)),
  context: async ({ context }, use) => {
    if (LATENCY > 0) await context.addInitScript(delayCalls, LATENCY);
    if (MOVED_MS !== 0) await context.addInitScript(moveClock, MOVED_MS);
    await use(context);
  },
  baseURL: async ({}, use) => use(serverUnderTest().url),
  expectedNotes: [[], { option: true }],
  quiet: [
    async ({ page, expectedNotes }, use) => {
      const faults: string[] = [];
      const expected = [...usualNotes, ...expectedNotes];
      page.on('pageerror', (error) => faults.push(`page: ${error.message}`));
      page.on('console', (message) => {
        const text = message.text();
        if (['error', 'warning'].includes(message.type()) && !expected.some((note) => note.test(text)))
          faults.push(`${message.type()}: ${text}`);
      });
      await use();
      expect(faults).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** Runs in the page: a slow network, which exposes tests that do not wait for their effects. */
function delayCalls(most: number): void {
  const send = window.fetch.bind(window);
  const pause = () => new Promise((resolve) => setTimeout(resolve, Math.random() * most));
  window.fetch = async (...call) => {
    await pause();
    const response = await send(...call);
    await pause();
    return response;
  };
}

/** Runs in the page: its clock is moved like that of the server. */
function moveClock(ms: number): void {
  const real = Date;
  window.Date = new Proxy(real, {
    construct: (_, values: []) => (values.length === 0 ? new real(real.now() + ms) : new real(...values)),
    apply: () => new real(real.now() + ms).toString(),
    get: (_, key) => (key === 'now' ? () => real.now() + ms : Reflect.get(real, key)),
  });
}

/** For an address that redirects while it still loads: waiting for the full load would be aborted. */
export const COMMITTED = { waitUntil: 'commit' } as const;

/**
 * Leave the console, if it is open. A console whose session just ended redirects and may abort the first attempt. The picture is
 * of the console's origin, so the browser keeps the process with all compiled scripts; after an empty page it would start another.
 */
async function close(page: Page): Promise<void> {
  if (page.url() !== 'about:blank') await expect(() => page.goto('/mark.svg')).toPass();
}

/**
 * Sign out of this browser. Its consoles close first, while their session stands: one that asks without a
 * session leaves for the sign-in page by itself, whenever its response comes, and would cut off the visit that follows.
 */
export async function leave(page: Page): Promise<void> {
  for (const open of page.context().pages()) await close(open);
  await page.context().clearCookies();
}

/** Open the console with an existing session (AUTH-01). */
export async function enter(page: Page, person: Person, path = '/'): Promise<void> {
  await close(page);
  await page.goto(`${path}${path.includes('?') ? '&' : '?'}id=${person.id}&vap=${person.bearer}`);
  await expect(page).not.toHaveURL(/vap=/u);
  await waitUntilLoaded(page);
}

/** Sign in at /login, by the page in its frame. */
export async function signInByPage(page: Page, email: string, password = PASSWORD): Promise<void> {
  const frame = page.frameLocator('iframe');
  await frame.getByLabel('Email address').fill(email);
  await frame.getByLabel('Password', { exact: true }).fill(password);
  await frame.getByRole('button', { name: 'Sign in' }).click();
}

/**
 * Open another page as a link of the console does: the document and its scripts stay, which takes a third of the time of a load. An
 * address that no page has, in between, tells the two pages apart.
 */
export async function visit(page: Page, path: string): Promise<void> {
  for (const to of ['/nowhere', path]) {
    await page.evaluate((address) => history.pushState(null, '', address), to);
    const title = to === path ? expect(page).not : expect(page);
    await title.toHaveTitle(/Page not found|找不到此頁面/u);
  }
  await waitUntilLoaded(page);
}

/** Every call of the screen has been answered. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  // The page that is left may still be there, hidden, while the next one loads.
  await expect(page.locator('h1:visible').first()).toBeVisible();
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
}

/** All colours and positions are final. */
export async function expectStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (;;) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const moving = document.getAnimations().filter(({ playState }) => playState === 'running');
      if (moving.length === 0) return;
      await Promise.allSettled(moving.map(({ finished }) => finished));
    }
  });
}

/** The source that AxeBuilder brings by itself is 1.5 MB; this one is the same without its comments. */
const axe = readFileSync(join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');

/** Rules whose result can depend on the language, the colours or the width; the others see the same elements in each. */
export const RULES_OF_LOOKS = [
  'color-contrast',
  'link-in-text-block',
  'target-size',
  'scrollable-region-focusable',
  'document-title',
  'html-has-lang',
  'html-lang-valid',
  'valid-lang',
  'aria-command-name',
  'aria-dialog-name',
  'aria-input-field-name',
  'aria-toggle-field-name',
  'button-name',
  'empty-heading',
  'image-alt',
  'label',
  'link-name',
  'select-name',
  'summary-name',
  'svg-img-alt',
] as const;

interface AxeOptions {
  readonly runOnly?: { type: 'rule'; values: string[] };
}

/** Runs in the page: the violated rules. Passed checks and the paths of elements are not computed; they cost a part of each look. */
async function violatedRules(options: AxeOptions): Promise<string[]> {
  interface Axe {
    run(page: Document, options: object): Promise<{ readonly violations: readonly { readonly id: string }[] }>;
  }
  const { axe } = window as unknown as { axe: Axe };
  const few = { ...options, resultTypes: ['violations'], reporter: 'no-passes', selectors: false };
  const { violations } = await axe.run(document, few);
  return violations.map(({ id }) => id);
}

/** Nothing that axe finds, by WCAG 2.2 AA and by good practice, or by `rules` only. */
export async function expectAccessible(page: Page, rules?: readonly string[]): Promise<void> {
  const options: AxeOptions = rules === undefined ? {} : { runOnly: { type: 'rule', values: [...rules] } };
  for (const frame of page.frames()) {
    // A document that was looked at before has axe already; to bring it again costs as much as the look itself.
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axe);
  }
  const violated = await page.evaluate(violatedRules, options);
  if (violated.length === 0) return;
  // A second look for the paths. No page has cross-origin frames, so frame results need no separate page.
  const { violations } = await new AxeBuilder({ page, axeSource: axe }).options(options).setLegacyMode(true).analyze();
  const elements = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
  expect(elements.length > 0 ? elements : violated).toEqual([]);
}

/** Copy the secret that a dialog shows only once, and close it. */
export async function keepSecret(dialog: Locator): Promise<void> {
  await dialog
    .getByRole('button', { name: /^Copy /u })
    .first()
    .click();
  await expect(dialog.getByRole('button', { name: 'Copied' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(dialog).toHaveCount(0);
}

/** The rows of the list on the screen, without its header, once they are loaded. */
export function rows(page: Page) {
  return page.locator('table tbody:not([aria-hidden]) tr');
}

/** The header cells of the visible list. */
export async function headers(page: Page): Promise<string[]> {
  return (await page.locator('thead th').allInnerTexts()).map((text) => text.trim());
}

/** Show more rows than the list's own default. */
export async function showRows(page: Page, count: number): Promise<void> {
  await page.getByLabel('Rows', { exact: true }).selectOption(String(count));
  await waitUntilLoaded(page);
}
