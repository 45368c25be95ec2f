import type { TFunction } from 'i18next';
import { expect, test } from 'vitest';
import { phoneRow } from '../../ui/table/phone.ts';
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

test('OGL-01 SAY-09-partial on a phone both lists of devices say the vehicle, its state, carrier, group and last contact', () => {
  const organization = { id: 'organization', header: 'Org', cell: () => null };
  const partsOf = (columns: ReturnType<typeof deviceColumns>) => {
    const { title, aside, state, line } = phoneRow(columns, {});
    return [title.id, aside?.id, state?.id, ...line.map(({ id }) => id)];
  };
  expect(partsOf(deviceColumns(t, false))).toEqual(['vehicle', 'carrier', 'presence', 'group', 'lastSeen']);
  expect(partsOf(orgDeviceColumns(t, organization))).toEqual([
    'vehicle',
    'carrier',
    'presence',
    'organization',
    'group',
    'lastSeen',
  ]);
  expect(
    orgDeviceColumns(t, organization)
      .slice(0, 6)
      .map(({ id }) => id),
  ).toEqual(['number', 'service', 'expires', 'serial', 'model', 'organization']);
});
