import type { Page } from '@playwright/test';
import { makeIccid } from '@highline/usp';
import { enter, expect, rows, test, visit } from './fixtures.ts';

const ICCID = '8914800000001234562';
const EIDS = ['89049099990000000000000000000132', '89049099990000000000000000000229'] as const;

const row = (page: Page, text: string) => rows(page).filter({ hasText: text });
const card = (page: Page, name: string) => page.getByRole('listitem', { name, exact: true });

/** Fill the card that was added last; its name is the last of it, since a card is found by it. */
async function addCard(page: Page, name: string, matchingId: string, iccid: string): Promise<void> {
  await page.getByRole('button', { name: 'Add an eSIM' }).click();
  const fresh = card(page, 'New eSIM');
  await fresh.getByRole('textbox', { name: 'Activation Code' }).fill(`1$smdp.example.com$${matchingId}`);
  await fresh.getByRole('textbox', { name: 'ICCID' }).fill(iccid);
  await fresh.getByRole('textbox', { name: 'APN 1' }).fill('m2m');
  await fresh.getByRole('textbox', { name: 'eSIM name' }).fill(name);
}

test('SIM-10 the state of an eSIM is what its router did with it: assigned, downloading, activated, in use, failed to download or to activate, or out of memory; a preloaded one that was not bought keeps its slot', async ({
  page,
  tenant,
}) => {
  test.slow();
  const org = await tenant.seeding.organization(tenant.main, `Outcome ${tenant.mark}`);
  const id = await tenant.seeding.account(org, `outcome-${tenant.mark.toLowerCase()}@highline.example`, 'admin');
  const [bus, van] = await tenant.routers(2, { org });
  const broken = { serial: van!.serial, eid: EIDS[1], code: '1$smdp.example.com$FAIL-1', iccid: '', apn: 'm2m', apn2: '' };
  await tenant.seeding.esim(org, { ...broken, name: 'Broken' });

  const path = `/devices/esimsAdd?method=manual&serial=${bus!.serial}&eid=${EIDS[0]}`;
  await enter(page, { id, email: '', bearer: await tenant.seeding.bearer(id) }, path);
  const preloaded = card(page, 'preloaded_eSIM');
  await expect(preloaded).toContainText('Not Purchased');
  await page.getByRole('button', { name: 'Edit preloaded_eSIM' }).click();
  await preloaded.getByRole('textbox', { name: 'ICCID' }).fill(ICCID);
  await preloaded.getByRole('textbox', { name: 'APN 1' }).fill('vzwinternet');
  // One that no network accepts; a new one stays below the one in use, wherever it is dropped.
  await addCard(page, 'Dead', 'NOCONN-1', makeIccid(2_000_001));
  await page.getByRole('button', { name: 'Move Dead up' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Not Purchased' })).toContainText('1');
  await addCard(page, 'Huge', 'BIG-1', makeIccid(2_000_002));
  await addCard(page, 'Spare', 'SLOW-1', makeIccid(2_000_003));
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page).toHaveURL(/\/devices\/esimsList/u);
  await visit(page, '/devices/esimsList?size=10');
  const states = async (expected: Readonly<Record<string, string>>) => {
    for (const [name, state] of Object.entries(expected))
      await expect(row(page, name), name).toContainText(state, { timeout: 60_000 });
  };
  await states({
    preloaded_eSIM: 'Assigning...',
    Dead: 'Assigning...',
    Huge: 'Assigning...',
    Spare: 'Assigning...',
    Broken: 'Assigning...',
  });

  // From here on the page is not touched: each state arrives as the router reaches it.
  tenant.fleet([bus!], { eid: EIDS[0], iccid: ICCID });
  tenant.fleet([van!], { eid: EIDS[1] });
  await states({ Dead: 'Activated' });
  await states({ Spare: 'Downloading...', Huge: 'Out of memory', preloaded_eSIM: 'In Use', Broken: 'Fail to download' });
  await states({ Spare: 'Activated', Dead: 'Activated', preloaded_eSIM: 'In Use' });
  // Used on purpose, it does not connect, and the router is back over the one before.
  await row(page, 'Dead').locator('td').nth(4).click();
  await card(page, 'Dead').getByRole('button', { name: 'Use now' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Use now' }).click();
  await visit(page, '/devices/esimsList?size=10');
  await states({ Dead: 'Fail to activate', preloaded_eSIM: 'In Use' });
  for (const [name, tone] of [
    ['preloaded_eSIM', 'ok'],
    ['Spare', 'ok'],
    ['Dead', 'bad'],
    ['Huge', 'bad'],
    ['Broken', 'bad'],
  ] as const)
    await expect(row(page, name).locator('.status__dot'), name).toHaveAttribute('data-tone', tone);
  await row(page, 'Huge').locator('td').nth(4).click();
  await expect(card(page, 'Huge')).toContainText('No space left on the eSIM: ');
  await expect(card(page, 'Dead')).toContainText('Fail to activate');
});
