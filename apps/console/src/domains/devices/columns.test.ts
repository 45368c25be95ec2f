import type { TFunction } from 'i18next';
import { expect, test } from 'vitest';
import { PICK_WIDTH, widthOf } from '../../ui/table/widths.ts';
import { deviceColumns, orgDeviceColumns } from './columns.tsx';
import { devices } from './devices.en-US.ts';

/** The headers of the columns as they are; every other message is its key. */
const t = ((key: string) => {
  const name = key.replace('devices.column.', '');
  return (devices.column as Record<string, string>)[name] ?? key;
}) as unknown as TFunction;

/** The table at 1440 px, next to the sidebar. */
const TABLE_WIDTH = 1166;

test('DEV-01 a window of 1440 px has space for the columns up to the carrier', () => {
  const columns = deviceColumns(t, false);
  const until = columns.findIndex(({ id }) => id === 'carrier');
  const width = columns.slice(0, until + 1).reduce((sum, column) => sum + widthOf(column, undefined), PICK_WIDTH);
  expect(width).toBeLessThanOrEqual(TABLE_WIDTH);
});

test('OGL-01 on a phone the list of all organizations begins with the vehicle, as that of an admin does', () => {
  const organization = { id: 'organization', header: 'Org', cell: () => null };
  const ids = (isNarrow: boolean) => orgDeviceColumns(t, organization, isNarrow).map(({ id }) => id);
  expect(ids(true).slice(0, 2)).toEqual(['vehicle', 'serial']);
  expect(ids(false).slice(0, 6)).toEqual(['number', 'service', 'expires', 'serial', 'model', 'organization']);
  expect(ids(true).toSorted()).toEqual(ids(false).toSorted());
  expect(new Set(ids(true)).size).toBe(ids(true).length);
});
