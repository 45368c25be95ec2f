import { readFile } from 'node:fs/promises';
import type { Download, Page } from '@playwright/test';
import { rows } from './fixtures.ts';
import type { Tenant } from './tenant.ts';

/** 32 digits whose check digits are right, of no network. */
export const EID = '89049099990000000000000000000132';

/** Of a list, the row that holds this text. */
export const row = (page: Page, text: string) => rows(page).filter({ hasText: text });
export const textOf = async (download: Download) => readFile(await download.path(), 'utf8');

/** The downloaded file of a button. */
export async function downloaded(page: Page, button: string): Promise<Download> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: button }).click()]);
  return download;
}

/** A separate organization with an admin and a user. */
export async function ownOrganization(tenant: Tenant, name: string) {
  const org = await tenant.seeding.organization(tenant.main, `${name} ${tenant.mark}`);
  const person = async (role: 'admin' | 'user') => {
    const email = `${role}-${name.toLowerCase()}-${tenant.mark.toLowerCase()}@highline.example`;
    const id = await tenant.seeding.account(org, email, role);
    return { id, email, bearer: await tenant.seeding.bearer(id) };
  };
  return { org, admin: await person('admin'), user: await person('user') };
}
