import { TextInput } from '../ui/controls/TextInput.tsx';
import { QueryClient, QueryClientProvider, queryOptions, useQuery } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadMessages } from '../testing/messages.ts';
import { DialogHost } from '../ui/DialogHost.tsx';
import { useStore } from '../ui/store.ts';
import { shownToasts } from '../ui/toasts.ts';
import { PageForm } from './EntityForm.tsx';
import { ApiError } from './errors.ts';
import { Loaded } from './Loaded.tsx';
import { reload, useEntityForm } from './useEntityForm.ts';

interface Depot {
  readonly name: string;
  readonly note: string;
}

/** A store with one depot that compares versions as the server does. `hold` keeps saves on their way until `release`. */
function createDepots() {
  let stored = { name: 'North', note: '' };
  let version = 1;
  let gate = Promise.resolve();
  const saves: Depot[] = [];
  return {
    saves,
    read: async () => ({ values: stored, etag: String(version) }),
    change(values: Depot) {
      stored = values;
      version += 1;
    },
    hold(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
    async save(values: Depot, etag: string | undefined) {
      saves.push(values);
      await gate;
      if (etag !== undefined && etag !== String(version))
        throw new ApiError({ status: 412, key: 'conflict.stale', message: 'Changed meanwhile.' });
      if (values.name === 'Taken') throw new ApiError({ status: 409, field: 'name', message: 'Another depot has this name.' });
      this.change(values);
    },
  };
}

let depots: ReturnType<typeof createDepots>;
interface Shown {
  readonly values: Depot;
  readonly etag: string;
}
const depotQuery = queryOptions({ queryKey: ['depots'], queryFn: (): Promise<Shown | null> => depots.read() });

function DepotForm({ shown }: { shown: Shown }): ReactNode {
  const form = useEntityForm<Depot>({
    stored: shown,
    normalize: ({ name, note }) => ({ name: name.trim(), note: note.trim() }),
    required: { name: 'Name' },
    validate: ({ note }) => (note === 'bad' ? { note: 'Not this note' } : {}),
    fieldOf: ({ field }) => field,
    save: (values, base) => depots.save(values, base.etag),
    done: 'Edit success',
    refresh: ['depots'],
    stale: reload(depotQuery, ({ values, etag }) => ({ values, etag, text: `Now: ${values.name} ${values.note}` })),
    draft: 'depot',
  });
  return (
    <PageForm form={form}>
      <p>Version {shown.etag}</p>
      <TextInput label="Name" {...form.text('name')} />
      <TextInput label="Note" {...form.text('note')} />
    </PageForm>
  );
}

function Page(): ReactNode {
  return (
    <Loaded query={useQuery(depotQuery)} gone="gone">
      {(shown) => <DepotForm shown={shown} />}
    </Loaded>
  );
}

/** The texts of the toasts; the environment has no popovers. */
function Toasts(): ReactNode {
  return useStore(shownToasts).map(({ id, text }) => <p key={id}>{text}</p>);
}

let client: QueryClient;

/** Open the page of the depot in a browser tab: the storage of the tab stays from one call to the next. */
async function open(): Promise<void> {
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(['session'], { id: 'someone', role: 'admin' });
  const rootRoute = createRootRoute({
    component: () => (
      <>
        <Link to={'/elsewhere' as never}>Away</Link>
        <Outlet />
      </>
    ),
  });
  const routeTree = rootRoute.addChildren([
    createRoute({ getParentRoute: () => rootRoute, path: '/depot', component: Page }),
    createRoute({ getParentRoute: () => rootRoute, path: '/elsewhere', component: () => <p>Elsewhere</p> }),
  ]);
  const router = createRouter({ routeTree, history: createMemoryHistory({ initialEntries: ['/depot'] }) });
  render(
    <>
      <QueryClientProvider client={client}>
        <RouterProvider router={router as never} />
        <DialogHost />
        <Toasts />
      </QueryClientProvider>
    </>,
  );
  await waitFor(() => field('Name'));
}

/** By the beginning of its label: a required field has a mark behind it. */
const field = (label: string) => screen.getByLabelText<HTMLInputElement>((text) => text.startsWith(label));
const value = (label: string) => field(label).value;
const type = (label: string, text: string) => fireEvent.change(field(label), { target: { value: text } });
const saveButton = () => screen.getByRole('button', { name: 'Save' });
const isOff = () => saveButton().getAttribute('aria-disabled') === 'true';
const question = () => screen.findByRole('alertdialog', { hidden: true });
const respond = async (name: string) => fireEvent.click(within(await question()).getByRole('button', { name, hidden: true }));
const leave = () => fireEvent.click(screen.getByText('Away'));

beforeAll(() => loadMessages());
beforeEach(() => {
  sessionStorage.clear();
  shownToasts.set([]);
  depots = createDepots();
});
afterEach(cleanup);

describe('useEntityForm', () => {
  it('SHR-06-partial Save waits for a change, and again after it was taken back', async () => {
    await open();
    expect(isOff()).toBe(true);
    type('Note', 'south gate');
    expect(isOff()).toBe(false);
    type('Note', '  ');
    expect(isOff()).toBe(true);
    type('Name', '');
    expect(isOff()).toBe(true);
    expect(screen.getAllByText('Please enter the Name')).not.toHaveLength(0);
  });

  it('sends normalized values once however often it is submitted, and then follows what is stored', async () => {
    await open();
    const release = depots.hold();
    type('Note', ' south gate ');
    const form = saveButton().closest('form')!;
    fireEvent.submit(form);
    fireEvent.submit(form);
    release();
    await screen.findByText('Edit success');
    await waitFor(() => expect(isOff()).toBe(true));
    expect(depots.saves).toEqual([{ name: 'North', note: 'south gate' }]);
    expect(value('Note')).toBe('south gate');
    depots.change({ name: 'Harbour', note: 'by another user' });
    await act(() => client.invalidateQueries({ queryKey: ['depots'] }));
    await waitFor(() => expect(value('Name')).toBe('Harbour'));
  });

  it('shows what another user saved meanwhile, keeps the input, and overwrites at the next save', async () => {
    await open();
    type('Note', 'mine');
    depots.change({ name: 'Harbour', note: 'theirs' });
    await act(() => client.invalidateQueries({ queryKey: ['depots'] }));
    expect(value('Name')).toBe('North');
    fireEvent.click(saveButton());
    expect((await question()).textContent).toContain('Now: Harbour theirs');
    await respond('OK');
    await waitFor(() => expect(saveButton().dataset['loading']).toBeUndefined());
    expect(value('Note')).toBe('mine');
    fireEvent.click(saveButton());
    await screen.findByText('Edit success');
    expect((await depots.read()).values).toEqual({ name: 'North', note: 'mine' });
  });

  it('keeps what is typed while a save is on its way', async () => {
    await open();
    const release = depots.hold();
    type('Note', 'first');
    fireEvent.click(saveButton());
    type('Note', 'second');
    release();
    await screen.findByText('Edit success');
    await waitFor(() => expect(isOff()).toBe(false));
    expect(value('Note')).toBe('second');
    fireEvent.click(saveButton());
    await waitFor(async () => expect((await depots.read()).values.note).toBe('second'));
    expect(screen.queryByRole('alertdialog', { hidden: true })).toBeNull();
  });

  it('shows a fault at its field and moves the focus there, be it found here or by the server', async () => {
    await open();
    type('Note', 'bad');
    fireEvent.click(saveButton());
    expect(await screen.findByText('Not this note')).toBeTruthy();
    expect(document.activeElement).toBe(field('Note'));
    expect(depots.saves).toEqual([]);
    screen.getByText('Away').focus();
    fireEvent.click(saveButton());
    await waitFor(() => expect(document.activeElement).toBe(field('Note')));
    type('Note', 'good');
    type('Name', 'Taken');
    fireEvent.click(saveButton());
    expect(await screen.findByText('Another depot has this name.')).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(field('Name')));
    expect(screen.queryByText('Not this note')).toBeNull();
  });

  it('offers the changed fields of a draft to the same user, and adds them to what is stored now', async () => {
    await open();
    type('Note', 'half a sentence');
    cleanup();
    depots.change({ name: 'Harbour', note: '' });
    await open();
    fireEvent.click(await screen.findByRole('button', { name: 'Restore' }));
    expect([value('Name'), value('Note')]).toEqual(['Harbour', 'half a sentence']);
    fireEvent.click(saveButton());
    await screen.findByText('Edit success');
    cleanup();
    shownToasts.set([]);
    await open();
    expect(screen.queryByRole('button', { name: 'Restore' })).toBeNull();
  });

  it('SHR-06-partial leaving asks while something is unsaved, saves on request, and stays if that fails', async () => {
    await open();
    type('Name', 'Taken');
    leave();
    await respond('Save');
    expect(await screen.findByText('Another depot has this name.')).toBeTruthy();
    type('Name', 'West');
    leave();
    await respond('Save');
    expect(await screen.findByText('Elsewhere')).toBeTruthy();
    expect((await depots.read()).values.name).toBe('West');
  });

  it('SHR-06-partial what is discarded on leaving is not offered again', async () => {
    await open();
    type('Note', 'half a sentence');
    leave();
    await respond('Discard');
    expect(await screen.findByText('Elsewhere')).toBeTruthy();
    cleanup();
    await open();
    expect(screen.queryByRole('button', { name: 'Restore' })).toBeNull();
  });

  it('saves on top of what was changed elsewhere, if that is nothing of the form', async () => {
    await open();
    type('Note', 'mine');
    depots.change({ name: 'North', note: '' });
    await act(() => client.invalidateQueries({ queryKey: ['depots'] }));
    await screen.findByText('Version 2');
    fireEvent.click(saveButton());
    await screen.findByText('Edit success');
    expect(screen.queryByRole('alertdialog', { hidden: true })).toBeNull();
  });

  it('SHR-06-partial leaving does not ask once the server has saved, though the page is still loading', async () => {
    await open();
    type('Name', 'West');
    const { promise, resolve } = Promise.withResolvers<void>();
    const { read } = depots;
    depots.read = async () => {
      await promise;
      return read();
    };
    fireEvent.click(saveButton());
    await screen.findByText('Edit success');
    leave();
    expect(await screen.findByText('Elsewhere')).toBeTruthy();
    resolve();
  });

  it('SHR-06-partial what was typed while a save is on its way is saved after it, when leaving saves', async () => {
    await open();
    type('Note', 'first');
    const { promise, resolve } = Promise.withResolvers<void>();
    const { read } = depots;
    depots.read = async () => {
      await promise;
      return read();
    };
    fireEvent.click(saveButton());
    await screen.findByText('Edit success');
    type('Note', 'second');
    leave();
    await respond('Save');
    expect(depots.saves.map(({ note }) => note)).toEqual(['first']);
    resolve();
    expect(await screen.findByText('Elsewhere')).toBeTruthy();
    expect(depots.saves.map(({ note }) => note)).toEqual(['first', 'second']);
    expect((await read()).values.note).toBe('second');
  });
});
