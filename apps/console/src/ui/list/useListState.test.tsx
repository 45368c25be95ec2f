import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, render, screen } from '@testing-library/react';
import { type ReactNode, useEffect } from 'react';
import { expect, test } from 'vitest';
import { lastSearch } from './last-search.ts';
import { listSpec } from './spec.ts';
import { useListState } from './useListState.ts';

const spec = listSpec({ id: 'items', sorts: [], fields: ['name'], filters: {}, defaultSize: 10 });

/** A list, and a page that loads until it is let. */
async function startList() {
  const detail = Promise.withResolvers<void>();
  const states: ReturnType<typeof useListState<typeof spec>>[] = [];
  function Items(): ReactNode {
    const state = useListState(spec);
    useEffect(() => void states.push(state), [state]);
    return <h1>Items</h1>;
  }
  const root = createRootRoute();
  const routeTree = root.addChildren([
    createRoute({ getParentRoute: () => root, path: '/items', component: Items }),
    createRoute({
      getParentRoute: () => root,
      path: '/item',
      loader: () => detail.promise,
      component: () => <h1>Item</h1>,
    }),
  ]);
  const router = createRouter({
    routeTree,
    history: createMemoryHistory({ initialEntries: ['/items'] }),
    defaultPendingMs: 60_000,
  });
  render(<RouterProvider router={router as never} />);
  await screen.findByRole('heading', { name: 'Items' });
  return { router, list: () => states.at(-1)!, showDetail: detail.resolve };
}

test('SHR-04-partial SHR-05-partial a page that is opened while the list still finds its page, or a typed text, is the one that comes', async () => {
  const { router, list, showDetail } = await startList();
  await act(async () => void router.navigate({ to: '/item', search: { of: 7 } } as never));
  expect(screen.getByRole('heading').textContent).toBe('Items');
  await act(async () => list().change({ page: 2 }, true));
  await act(async () => list().change({ search: 'bus' }, true));
  await act(async () => list().change({ page: 3 }));
  await act(async () => showDetail());
  expect((await screen.findByRole('heading', { name: 'Item' })).textContent).toBe('Item');
  expect(router.state.location.href).toBe('/item?of=7');
  expect(lastSearch('/item')).toEqual({});
});

test('SHR-05-partial a text that is typed replaces the entry of the history, and what a person chooses makes one', async () => {
  const { router, list } = await startList();
  await act(async () => list().change({ search: 'bus' }, true));
  expect([router.history.length, router.state.location.search]).toEqual([1, { search: 'bus' }]);
  await act(async () => list().change({ page: 2 }));
  expect([router.history.length, router.state.location.search]).toEqual([2, { search: 'bus', page: 2 }]);
});
