import type { Locator, Page } from '@playwright/test';

/** Helpers of the specs of groups and of their rollouts. */

export const row = (page: Page | Locator, name: string) => page.locator('table tbody tr').filter({ hasText: name });
export const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true });
export const question = (page: Page) => page.getByRole('alertdialog');

/** Choose a file in a select of the form. */
export async function choose(page: Page, select: string, option: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${select} `, 'u') }).click();
  await page.getByRole('option', { name: option }).click();
}
