import { inventory } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { example, startConsole } from '../../testing/console.tsx';

const question = async () => within(await screen.findByRole('alertdialog'));
const url = 'wss://fleet.example/usp/secret?eid=os%3A%3AHL-1';

describe('/inventory', () => {
  const row = { id: 'router', serial_number: 'HL-1', endpointId: 'os::00B2D0-HL-1' };

  test('DEV-05-partial a router is added with an endpoint ID of its own; a wrong one is named at its field, and the secret is shown once', async () => {
    const { open, respond, fail, sendList, user, requests } = startConsole({ role: 'main' });
    sendList(inventory.listRouters, []);
    await open('/inventory');
    await user.click(screen.getByRole('button', { name: 'Add router' }));
    const dialog = within(document.querySelector<HTMLElement>('dialog[open]')!);
    await user.type(dialog.getByLabelText(/^Serial number/u), 'HL-1');
    await user.type(dialog.getByLabelText(/^MAC address/u), '00B2D056C227');
    await user.type(dialog.getByLabelText(/^Endpoint ID/u), 'ops:x:1');
    fail(inventory.addRouter, 'inventory.endpoint_invalid', { field: 'endpointId' });
    await user.click(dialog.getByRole('button', { name: 'Add' }));
    expect(await dialog.findByText(/^This is not a valid endpoint ID\./u)).toBeTruthy();
    await expect.poll(() => document.activeElement).toBe(dialog.getByLabelText(/^Endpoint ID/u));
    const { result } = example(inventory.addRouter);
    respond(inventory.addRouter, { result: { ...result, ...row, endpointId: 'ops::ACDE48-RX-1', secret: 'only once', url } });
    await user.click(dialog.getByRole('button', { name: 'Add' }));
    const shown = within(await screen.findByRole('dialog', { name: 'Secret for HL-1' }));
    expect(shown.getAllByText('ops::ACDE48-RX-1')).not.toHaveLength(0);
    expect(requests(inventory.addRouter).at(-1)?.body).toMatchObject({ serial_number: 'HL-1', mac: '00B2D056C227' });
  });

  test('DEV-05-partial an endpoint ID is searched for and changed', async () => {
    const { open, respond, sendList, user, requests } = startConsole({ role: 'main' });
    sendList(inventory.listRouters, [row]);
    await open('/inventory?field=endpoint&search=HL-1');
    expect(requests(inventory.listRouters).at(-1)?.query).toMatchObject({ field: 'endpoint', search: 'HL-1' });
    await user.click(screen.getByRole('button', { name: 'Change endpoint ID HL-1' }));
    const dialog = within(document.querySelector<HTMLElement>('dialog[open]')!);
    await user.clear(dialog.getByLabelText(/^Endpoint ID/u));
    await user.type(dialog.getByLabelText(/^Endpoint ID/u), 'user::bus-1');
    respond(inventory.updateRouter, { result: { ...example(inventory.updateRouter).result, ...row, endpointId: 'user::bus-1' } });
    sendList(inventory.listRouters, [{ ...row, endpointId: 'user::bus-1' }]);
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('user::bus-1')).toBeTruthy();
    expect(requests(inventory.updateRouter)[0]).toMatchObject({
      params: { router: 'router' },
      body: { endpointId: 'user::bus-1' },
    });
  });
});

describe('/inventory/router', () => {
  const now = Date.parse('2026-11-23T15:30:00Z') / 1000;
  const certificate = (id: string, state: inventory.RouterCertificate['state'], days = 700): inventory.RouterCertificate => ({
    id,
    serial_number: id,
    subject: 'CN=HL-1',
    endpointId: 'os::HL-1',
    state,
    created: now,
    expires: now + days * 86_400,
    retires: null,
    revoked: null,
    last_used: null,
  });
  const startRouter = async (certificates: readonly inventory.RouterCertificate[]) => {
    const tools = startConsole({ role: 'main' });
    const { result } = example(inventory.getRouter);
    const own = { id: 'router', serial_number: 'HL-1', authentication: 'secret' as const, asksForCertificates: false };
    const set = (all: readonly inventory.RouterCertificate[]) =>
      tools.respond(inventory.getRouter, {
        result: { ...result, ...own, agent: { ...result.agent, url }, certificates: [...all] },
      });
    set(certificates);
    await tools.open('/inventory/router?router=router');
    return { ...tools, set, panel: within(screen.getByRole('region', { name: 'Authentication and client certificates' })) };
  };

  test('DEV-05-partial a new secret that was not used is named with the old one, which is ended after a question', async () => {
    const { open, respond, user, requests } = startConsole({ role: 'main' });
    const { result } = example(inventory.getRouter);
    const own = { ...result, id: 'router', serial_number: 'HL-1', previousSecretUntil: null };
    respond(inventory.getRouter, { result: { ...own, awaitsSecretUse: true } });
    await open('/inventory/router?router=router');
    const agent = within(screen.getByRole('region', { name: 'Settings of its USP agent' }));
    expect(agent.getByRole('status').textContent).toContain('The new secret is not used yet.');
    await user.click(agent.getByRole('button', { name: 'Rotate secret' }));
    expect((await question()).getByText(/^The last secret for HL-1 was not used yet and stops working now\./u)).toBeTruthy();
    await user.click((await question()).getByRole('button', { name: 'Cancel' }));
    respond(inventory.endPreviousSecret, { result: { ...own, awaitsSecretUse: false } });
    respond(inventory.getRouter, { result: { ...own, awaitsSecretUse: false } });
    await user.click(agent.getByRole('button', { name: 'End old secret' }));
    await user.click((await question()).getByRole('button', { name: 'End old secret' }));
    await expect.poll(() => agent.queryByRole('status')).toBeNull();
    expect(requests(inventory.endPreviousSecret)).toMatchObject([{ params: { router: 'router' } }]);
  });

  test('DEV-05-partial where the server cannot check certificates, a router is not locked out by a setting', async () => {
    const { panel, fail, user } = await startRouter([]);
    expect(panel.getByText(/^This server does not terminate TLS itself/u)).toBeTruthy();
    fail(inventory.updateRouter, 'inventory.no_client_tls');
    await user.selectOptions(panel.getByRole('combobox'), 'Client certificate');
    await user.click(panel.getByRole('button', { name: 'Save' }));
    expect((await question()).getByText(/cannot check client certificates/u)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'OK' }));
    // The choice stays, and is not saved.
    expect(panel.getByRole('button', { name: 'Save' }).getAttribute('aria-disabled')).toBeNull();
  });

  test('DEV-05-partial the authentication method is saved once it is chosen: methods that the arrow keys pass lock no router out', async () => {
    const { panel, respond, user, requests } = await startRouter([]);
    const { result } = example(inventory.getRouter);
    const saved = { result: { ...result, id: 'router', serial_number: 'HL-1', authentication: 'either' as const } };
    respond(inventory.updateRouter, saved);
    const choice = panel.getByRole<HTMLSelectElement>('combobox');
    for (const passed of ['certificate', 'either']) await user.selectOptions(choice, passed);
    expect([requests(inventory.updateRouter), document.activeElement]).toEqual([[], choice]);
    respond(inventory.getRouter, saved);
    await user.click(panel.getByRole('button', { name: 'Save' }));
    await expect.poll(() => requests(inventory.updateRouter)).toMatchObject([{ body: { authentication: 'either' } }]);
    await expect.poll(() => choice.value).toBe('either');
  });

  test('DEV-05-partial a key is shown once and leaves as a file; closing without it asks', async () => {
    const { panel, respond, fail, user, set, downloads, requests } = await startRouter([]);
    await user.click(panel.getByRole('button', { name: 'Issue certificate' }));
    const dialog = () => within(screen.getByRole('dialog'));
    await user.type(dialog().getByLabelText(/^Certificate request/u), 'no request');
    fail(inventory.issueCertificate, 'inventory.csr_invalid', { field: 'csr' });
    await user.click(dialog().getByRole('button', { name: 'Issue certificate' }));
    expect(await dialog().findByText(/^This is not a valid certificate request\./u)).toBeTruthy();
    await user.clear(dialog().getByLabelText(/^Certificate request/u));
    const key = '-----BEGIN PRIVATE KEY-----\nonce\n-----END PRIVATE KEY-----\n';
    respond(inventory.issueCertificate, { result: { ...example(inventory.issueCertificate).result, key } });
    const issue = async () => {
      await user.click(dialog().getByRole('button', { name: 'Issue certificate' }));
      await screen.findByRole('button', { name: 'Save private key' });
    };
    await issue();
    set([certificate('one', 'valid')]);
    await user.click(dialog().getByRole('button', { name: 'Save private key' }));
    await user.click(dialog().getByRole('button', { name: 'Done' }));
    expect([downloads[0]?.name, await downloads[0]?.content.text()]).toEqual(['HL-1.key.pem', key]);
    expect(await panel.findAllByRole('listitem')).toHaveLength(1);
    expect(document.body.textContent).not.toContain('PRIVATE KEY');
    await user.click(panel.getByRole('button', { name: 'Issue new certificate' }));
    await issue();
    await user.click(dialog().getByRole('button', { name: 'Done' }));
    await user.click((await question()).getByRole('button', { name: 'Close without saving' }));
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
    expect(requests(inventory.issueCertificate).map(({ body }) => body.csr)).toEqual(['no request', undefined, undefined]);
  });

  test('DEV-05-partial a certificate is revoked after a question, and the last one that ends soon is named', async () => {
    const { panel, respond, user, set, requests } = await startRouter([
      certificate('new', 'valid', 10),
      { ...certificate('old', 'retiring'), retires: now + 86_400 },
    ]);
    expect(panel.getByRole('status').textContent).toContain('Issue a new certificate.');
    const second = () => panel.getAllByRole('listitem')[1]!.textContent;
    expect(second()).toContain('Replaced, still valid');
    respond(inventory.revokeCertificate, { result: certificate('old', 'revoked') });
    set([certificate('new', 'valid'), certificate('old', 'revoked')]);
    await user.click(panel.getByRole('button', { name: 'Revoke old' }));
    await user.click((await question()).getByRole('button', { name: 'Revoke' }));
    await expect.poll(second).toContain('Revoked');
    expect(requests(inventory.revokeCertificate)[0]?.params).toEqual({ router: 'router', certificate: 'old' });
    expect(panel.queryByRole('status')).toBeNull();
  });
});
