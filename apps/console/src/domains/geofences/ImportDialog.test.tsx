// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startI18n, withMessages } from '../../i18n/i18n.ts';
import { LeftOut } from './ImportDialog.tsx';

test('POS-05-partial after an import the features that are no areas are named by their number, the first ten of them', async () => {
  await startI18n();
  await withMessages(['geofences'], async () => undefined)();
  const line = { reason: 'geometry' as const };
  const leftOut = [
    { feature: 2, reason: 'empty' as const },
    ...Array.from({ length: 11 }, (_, at) => ({ feature: at + 3, ...line })),
  ];
  render(<LeftOut result={{ dryRun: false, added: 1, leftOutCount: 12, leftOut }} />);
  expect(screen.getByText('1 geofence was added.')).toBeDefined();
  expect(screen.getByText('12 features of the file are no areas and were left out:')).toBeDefined();
  const shown = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(shown.slice(0, 2)).toEqual(['Feature 2: it is empty.', 'Feature 3: it is neither a Polygon nor a Point.']);
  expect(shown).toHaveLength(11);
});
