import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { loadMessages } from '../testing/messages.ts';
import { OtherFields } from '../ui/table/OtherFields.tsx';
import { useOtherFields } from './useOtherFields.ts';

const counts = { vehicle: 1, group: 0, config: 1_200 } as const;
const labels = { vehicle: 'Vehicle #', group: 'Group', config: 'Config file' } as const;
const shown: string[] = [];

function Nothing({ enabled }: { enabled: boolean }): ReactNode {
  const found = useOtherFields({
    enabled,
    fields: ['vehicle', 'group', 'config'],
    queryKey: ['devices'],
    count: async (field) => counts[field],
    show: (field) => shown.push(field),
  });
  return <OtherFields found={found.map(({ field, ...more }) => ({ ...more, label: labels[field] }))} />;
}

const open = (enabled: boolean) =>
  render(
    <>
      <QueryClientProvider client={new QueryClient()}>
        <Nothing enabled={enabled} />
      </QueryClientProvider>
    </>,
  );

beforeAll(() => loadMessages());
afterEach(cleanup);

it('SHR-05-partial a search without matches offers what the other fields have, and searches there', async () => {
  open(true);
  await waitFor(() => screen.getByRole('button', { name: '1 match in Vehicle #: show' }));
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    '1 match in Vehicle #: show',
    '1,200 matches in Config file: show',
  ]);
  fireEvent.click(screen.getByRole('button', { name: /Vehicle/u }));
  expect(shown).toEqual(['vehicle']);
});

it('SHR-05-partial nothing is counted while the searched field has matches', () => {
  open(false);
  expect(screen.queryAllByRole('button')).toEqual([]);
});
