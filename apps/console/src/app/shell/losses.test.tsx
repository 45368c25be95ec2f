import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allOperations } from '@highline/contract/all-operations';
import { TextInput } from '../../ui/controls/TextInput.tsx';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createBrowserHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  type Router,
  RouterProvider,
} from '@tanstack/react-router';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ImportRoutersDialog } from '../../domains/inventory/ImportRoutersDialog.tsx';
import { loadMessages } from '../../testing/messages.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { DialogHost } from '../../ui/DialogHost.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { SecretDialog } from '../../ui/SecretDialog.tsx';
import { useAskBeforeLeaving } from './useAskBeforeLeaving.ts';

let router: Router<never>;

/** The history of a tab at /before; the environment has none that goes back. */
function createTab() {
  const entries: { path: string; state: unknown }[] = [{ path: '/before', state: undefined }];
  let at = 0;
  const events = new EventTarget();
  const go = (steps: number) => {
    at += steps;
    events.dispatchEvent(new Event('popstate'));
  };
  const history = {
    get state() {
      return entries[at]!.state;
    },
    pushState(state: unknown, _title: string, path: string) {
      at += 1;
      entries.splice(at, Infinity, { path, state });
    },
    replaceState(state: unknown, _title: string, path: string) {
      entries[at] = { path: path || entries[at]!.path, state };
    },
    go,
    back: () => go(-1),
    forward: () => go(1),
  };
  const location = {
    get pathname() {
      return entries[at]!.path;
    },
    search: '',
    hash: '',
  };
  const listen = {
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
  };
  return { history, location, ...listen, path: () => entries[at]!.path };
}

let tab: ReturnType<typeof createTab>;

/** Open /dialog, which shows the dialog until it is closed, after /before. */
async function open(dialog: (close: () => void) => ReactNode): Promise<void> {
  const Opened = (): ReactNode => {
    const [isOpen, setOpen] = useState(true);
    return isOpen ? dialog(() => setOpen(false)) : <p>Closed</p>;
  };
  const Root = (): ReactNode => {
    useAskBeforeLeaving();
    return <Outlet />;
  };
  const root = createRootRoute({ component: Root });
  const routeTree = root.addChildren([
    createRoute({ getParentRoute: () => root, path: '/before', component: () => <p>Before</p> }),
    createRoute({ getParentRoute: () => root, path: '/dialog', component: Opened }),
  ]);
  tab = createTab();
  router = createRouter({ routeTree, history: createBrowserHistory({ window: tab }) }) as never;
  render(
    <>
      <QueryClientProvider client={new QueryClient()}>
        <RouterProvider router={router as never} />
        <DialogHost />
      </QueryClientProvider>
    </>,
  );
  await screen.findByText('Before');
  await act(() => router.navigate({ to: '/dialog' as never }));
  await screen.findByRole('dialog', { hidden: true });
}

const dialog = () => screen.getByRole('dialog', { hidden: true });
const press = (name: string | RegExp, inside: HTMLElement = dialog()) =>
  fireEvent.click(within(inside).getByRole('button', { name, hidden: true }));
const escape = () => fireEvent.keyDown(document.body, { key: 'Escape' });
const question = () => screen.findByRole('alertdialog', { hidden: true });
const isClosed = async () => expect(await screen.findByText('Closed')).toBeDefined();
/** Whether the browser would ask before a reload. */
const asksAtReload = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

/** Each way to close it asks this, and nothing is lost with the response that stays. */
async function expectToAsk(ways: readonly (() => void)[], text: string, stay: string): Promise<void> {
  for (const way of ways) {
    way();
    const shown = await question();
    expect(shown.textContent).toContain(text);
    press(stay, shown);
    await waitFor(() => expect(screen.queryByRole('alertdialog', { hidden: true })).toBeNull());
    expect(dialog()).toBeDefined();
  }
}

const ways = {
  escape,
  /** The browser's own way, for example the Back gesture of a phone. */
  cancel: () => fireEvent(dialog(), new Event('cancel', { cancelable: true })),
  back: () => tab.history.back(),
};

beforeAll(() => loadMessages('inventory', 'deviceForms'));
beforeEach(() => vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:', revokeObjectURL: () => undefined })));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('what is shown only once', () => {
  const secret = (close: () => void) => (
    <SecretDialog title="New key" once="Shown once." label="Key" secret="hk_5fH2k9" done="Done" onClose={close} />
  );

  it('HKS-02-partial survives Esc, its button, Back and a reload until it was copied', async () => {
    await open(secret);
    expect(asksAtReload()).toBe(true);
    await expectToAsk([...Object.values(ways), () => press('Done')], '1 secret was not saved. It cannot be shown again.', 'Back');
    expect(tab.path()).toBe('/dialog');
    const writeText = vi
      .fn<() => Promise<void>>()
      .mockRejectedValueOnce(new DOMException('Write permission denied.', 'NotAllowedError'));
    vi.stubGlobal('navigator', { clipboard: { writeText } });
    press('Copy Key');
    await screen.findByRole('button', { name: /does not allow copying/u });
    expect(asksAtReload()).toBe(true);
    press(/does not allow copying/u);
    await waitFor(() => expect(asksAtReload()).toBe(false));
    escape();
    fireEvent(dialog(), new Event('cancel', { cancelable: true }));
    await isClosed();
  });

  it('closes unsaved only by the answer that says so, and then Back leads on', async () => {
    await open(secret);
    ways.back();
    press('Close without saving', await question());
    await screen.findByText('Before');
    expect(asksAtReload()).toBe(false);
  });

  it('survives an import too, which names how many secrets it would lose, until they were saved as a file', async () => {
    const minted = Array.from({ length: 40 }, (_, index) => ({
      serial: `HL${index}`,
      mac: 'a8:40:41:00:00:01',
      endpointId: `os::${index}`,
      secret: `secret-${index}-`,
    }));
    const file = { encoding: 'utf-8', ignored: [] };
    const result = { success: 40, total: 40, failed: 0, fail: [], report: '', reported: 0, minted, file };
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    vi.stubGlobal('fetch', async () => {
      await released;
      return Response.json({ result });
    });
    await open((close) => <ImportRoutersDialog onClose={close} />);
    const picker = dialog().querySelector<HTMLInputElement>('input[type="file"]')!;
    fireEvent.change(picker, { target: { files: [new File(['SN,MAC\n'], 'routers.csv')] } });
    press('Import');
    // The response with the secrets is on its way.
    await waitFor(() => expect(asksAtReload()).toBe(true));
    Object.values(ways).forEach((way) => way());
    expect(screen.queryByRole('alertdialog', { hidden: true })).toBeNull();
    release();
    await within(dialog()).findByText(/shown only once/u);
    await expectToAsk([...Object.values(ways), () => press('Close')], '40 secrets were not saved.', 'Back');
    press('Save secrets');
    press('Close');
    await isClosed();
  });

  it('has a dialog that keeps it: each call whose answer has a secret names its own', () => {
    const shownBy: Readonly<Record<string, string>> = {
      'apiKeys.create': 'domains/api-keys/KeySecret.tsx',
      'apiKeys.rotate': 'domains/api-keys/KeySecret.tsx',
      'inventory.add': 'domains/inventory/RouterSecret.tsx',
      'inventory.rotateSecret': 'domains/inventory/RouterSecret.tsx',
      'inventory.import': 'domains/inventory/ImportRoutersDialog.tsx',
      'inventory.issueCertificate': 'domains/inventory/IssueDialog.tsx',
      'links.create': 'domains/links/LinkList.tsx',
      'remoteAccess.connect': 'domains/remote-access/CredentialsDialog.tsx',
      'remoteAccess.secret': 'domains/remote-access/CredentialsDialog.tsx',
      // Its response is shown to no one.
      'remoteAccess.resetPassword': '',
      // What was opened can be opened again.
      'remoteAccess.openClient': '',
      'remoteAccess.openClientTerminal': '',
      // It opens one terminal, at once.
      'remoteAccess.openTerminal': '',
      'routerPasswords.set': 'domains/commands/PasswordPanel.tsx',
      // It can be shown again.
      'routerPasswords.show': '',
      'scim.createSecret': 'domains/directory/Directory.tsx',
      // It can be begun again.
      'secondFactor.begin': '',
      'secondFactor.confirm': 'domains/users/second-factor/EnrolDialog.tsx',
      // Pages of the sign-in: they end by a button that says they were kept, and there is nothing behind them.
      'secondFactor.beginAtSignIn': '',
      'secondFactor.confirmAtSignIn': '',
      'webhooks.create': 'domains/webhooks/WebhookSecret.tsx',
      'webhooks.rotate': 'domains/webhooks/WebhookSecret.tsx',
    };
    const withSecret = allOperations.filter(({ hasSecret }) => hasSecret === true).map(({ id }) => id);
    expect(Object.keys(shownBy).toSorted()).toEqual(withSecret.toSorted());
    for (const file of new Set(Object.values(shownBy).filter((path) => path !== '')))
      expect(source(file), file).toMatch(/<Secrets?Dialog|kind: 'secret'/u);
  });
});

const folder = join(import.meta.dirname, '../..');
const source = (file: string) => readFileSync(join(folder, file), 'utf8');

describe('what was typed in a dialog', () => {
  const form = (close: () => void) => (
    <FormDialog title="Rename" submit="Save" onSubmit={() => undefined} onClose={close}>
      <TextInput label="Name" />
      <TextInput label="Find" type="search" />
    </FormDialog>
  );
  const type = (label: string) => fireEvent.input(screen.getByLabelText(label), { target: { value: 'North' } });

  it('SHR-06-partial needs a confirmation at Esc, Cancel, Back and a reload', async () => {
    await open(form);
    type('Name');
    expect(asksAtReload()).toBe(true);
    await expectToAsk(
      [...Object.values(ways), () => press('Cancel')],
      'There are unsaved changes. Do you want to leaving?',
      'No',
    );
    escape();
    press('Yes', await question());
    await isClosed();
  });

  it('needs no confirmation without any: nothing typed, or only a search', async () => {
    await open(form);
    type('Find');
    expect(asksAtReload()).toBe(false);
    press('Cancel');
    await isClosed();
  });

  it('stays while it is being saved', async () => {
    await open((close) => (
      <FormDialog title="Rename" submit="Save" busy onSubmit={() => undefined} onClose={close}>
        <TextInput label="Name" />
      </FormDialog>
    ));
    Object.values(ways).forEach((way) => way());
    await waitFor(() => expect(tab.path()).toBe('/dialog'));
    expect(dialog()).toBeDefined();
  });

  it('is named as a loss by every dialog with fields of its own', () => {
    // A filter, a word that confirms, and the frame around a form of its own.
    const free = ['groups/SearchPanel.tsx', 'ui/TypedConfirm.tsx', 'inventory/ModelSettingsDialog.tsx', 'gallery/'];
    const careless = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx') && !free.some((part) => file.includes(part)))
      .filter((file) => {
        const text = source(file);
        return (
          /<Dialog\b/u.test(text) && /<(?:TextInput|Textarea|PasswordInput|\w+Field)\b/u.test(text) && !/\bloss=/u.test(text)
        );
      });
    expect(careless).toEqual([]);
  });
});

describe('a dialog without a loss', () => {
  it('closes when the browser closed it by itself', async () => {
    await open((close) => (
      <Dialog title="Details" onClose={close}>
        <p>Text</p>
      </Dialog>
    ));
    (dialog() as HTMLDialogElement).close();
    expect(await screen.findByText('Closed')).toBeDefined();
  });
});
