import type { Page } from '@playwright/test';
import { rows } from './fixtures.ts';

/** 32 digits whose check digits are right, of no network. */
export const EID = '89049099990000000000000000000132';

/** Of a list, the row that holds this text. */
export const row = (page: Page, text: string) => rows(page).filter({ hasText: text });
