import { failuresOfPeople } from '@highline/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { loadMessages } from '../../testing/messages.ts';
import { DialogHost } from '../../ui/DialogHost.tsx';
import { ImportDialog, LeftOut } from './ImportDialog.tsx';

const geofenceName = failuresOfPeople['geofence.name'].message;

beforeAll(() => loadMessages('geofences'));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** Show the dialog, and those that it opens. */
function show(onDone: () => void): HTMLElement {
  const rootRoute = createRootRoute({ component: () => <ImportDialog onClose={() => {}} onDone={onDone} /> });
  const router = createRouter({ routeTree: rootRoute, history: createMemoryHistory() });
  const { baseElement } = render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router as never} />
      <DialogHost />
    </QueryClientProvider>,
  );
  return baseElement;
}

test('BLK-05-partial a GeoJSON file is checked before it is imported: the dialog says what would be added, and adds nothing', async () => {
  const requested: string[] = [];
  vi.stubGlobal('fetch', async (address: string) => {
    requested.push(new URL(address, 'http://console.example').search);
    const result = { dryRun: true, added: 2, leftOutCount: 1, leftOut: [{ feature: 3, reason: 'no_radius' }] };
    return Response.json({ result });
  });
  const onDone = vi.fn();
  const baseElement = show(onDone);
  const check = await screen.findByRole('button', { name: 'Check first' });
  const file = new File(['{}'], 'areas.geojson');
  fireEvent.change(baseElement.querySelector('input[type=file]')!, { target: { files: [file] } });
  fireEvent.click(check);
  expect(await screen.findByText('2 geofences can be added. Nothing has been changed yet.')).toBeDefined();
  expect(screen.getByText('Feature 3: the Point has no radius.')).toBeDefined();
  expect(requested).toEqual(['?dryRun=1']);
  expect(onDone).not.toHaveBeenCalled();
});

test('POS-05-partial a file that is rejected says which feature of it is, and that nothing was added', async () => {
  const error = { key: 'geofence.name', message: geofenceName, field: 'feature 2', reason: 'Feature 2' };
  vi.stubGlobal('fetch', async () => Response.json({ error }, { status: 400 }));
  const baseElement = show(() => {});
  const check = await screen.findByRole('button', { name: 'Check first' });
  const file = new File(['{}'], 'areas.geojson');
  fireEvent.change(baseElement.querySelector('input[type=file]')!, { target: { files: [file] } });
  fireEvent.click(check);
  expect(await screen.findByText(/^A name can have at most 80 characters/u)).toBeDefined();
  expect(screen.getByText('Feature 2 of the file. Nothing was added.')).toBeDefined();
});

test('POS-05-partial after an import the features that are no areas are named by their number, the first ten of them', () => {
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
