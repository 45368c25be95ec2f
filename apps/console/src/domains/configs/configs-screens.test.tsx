import { configs } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { button, example, row, startConsole } from '../../testing/console.tsx';

const file = (name: string, content = 'hostname depot\n') => new File([content], name, { type: 'text/plain' });
const config = (pk: string, parts: Partial<configs.Config> = {}) => ({ pk, name: `${pk}.cfg`, ...parts });

describe('/groups/config', () => {
  test('CFG-01 shows three a page with their sizes in KB, and searches the name or the description as typed', async () => {
    const { open, sendList, requests, user, address, rows } = startConsole();
    sendList(configs.listConfigs, [
      config('a', { note: 'Evening buses', size: 5120 }),
      ...['b', 'c', 'd'].map((pk) => config(pk)),
    ]);
    await open('/groups/config');
    expect(rows()).toHaveLength(3);
    expect(row('a.cfg').textContent).toContain('Evening buses');
    expect(row('a.cfg').textContent).toContain('5.0 KB');
    const numbers = screen.getAllByRole('columnheader').filter(({ classList }) => classList.contains('num'));
    expect(numbers.map(({ textContent }) => textContent)).toEqual(['#', 'Size', 'Version', 'Groups']);
    await user.click(button('Next page'));
    await screen.findByText('d.cfg');
    expect(address()).toBe('/groups/config?page=2');
    await user.selectOptions(screen.getByLabelText('Search in'), 'Description');
    await user.type(screen.getByRole('searchbox'), 'Evening');
    await expect
      .poll(() => requests(configs.listConfigs).at(-1)?.query)
      .toEqual({ search: 'Evening', field: 'note', limit: 3, offset: 0 });
    await user.click(row('a.cfg'));
    expect(await screen.findByRole('heading', { level: 1 })).toBeTruthy();
    expect(address()).toBe('/groups/configSetting?config=a');
  });

  test('CFG-01-partial is fetched again every 60 s, and with each change', async () => {
    const { open, sendList, requests, advance, push } = startConsole({ timers: 'fake' });
    sendList(configs.listConfigs, []);
    await open('/groups/config');
    expect(screen.getByText('No Records.')).toBeTruthy();
    const before = requests(configs.listConfigs).length;
    sendList(configs.listConfigs, [config('minute')]);
    await advance(40_000);
    expect(requests(configs.listConfigs)).toHaveLength(before);
    await advance(30_000);
    expect(screen.getByText('minute.cfg')).toBeTruthy();
    sendList(configs.listConfigs, []);
    push('configs');
    await advance(10);
    expect(screen.getByText('No Records.')).toBeTruthy();
  });

  test('SHR-04-partial opens at the page of the file that was uploaded, marked', async () => {
    const { open, sendList, address } = startConsole();
    sendList(
      configs.listConfigs,
      ['a', 'b', 'c', 'mine'].map((pk) => config(pk)),
    );
    document.cookie = 'highlineP=mine:9999999999; Path=/';
    await open('/groups/config');
    expect((await screen.findByText('mine.cfg')).closest('tr')?.dataset['highlighted']).toBeDefined();
    await expect.poll(address).toBe('/groups/config?page=2');
  });

  test('SHR-07-partial CFG-01-partial deletes the chosen files after a question, or none of them while a group has one', async () => {
    const { open, sendList, respond, fail, requests, user } = startConsole();
    sendList(
      configs.listConfigs,
      ['a', 'b', 'c'].map((pk) => config(pk)),
    );
    fail(configs.deleteConfig, 'config.bound', { detail: { groups: [{ groupName: 'North depot', config: 'b.cfg' }] } });
    await open('/groups/config');
    await user.click(button('Delete'));
    const remove = button(/^Delete\(/u);
    expect(remove.textContent).toBe('Delete(0)');
    expect(screen.getByText(/ · paused/u)).toBeTruthy();
    for (const name of ['a.cfg', 'b.cfg']) await user.click(within(row(name)).getByRole('checkbox'));
    expect(remove.textContent).toBe('Delete(2)');
    const confirm = async () => {
      await user.click(remove);
      const question = screen.getByRole('alertdialog');
      expect(question.textContent).toContain('This action is permanent and cannot be undone.');
      await user.click(within(question).getByRole('button', { name: 'Delete' }));
    };
    await confirm();
    expect(await screen.findByText('Bound to: North depot (b.cfg)')).toBeTruthy();
    await user.click(button('OK'));
    expect(remove.textContent).toBe('Delete(2)');
    await user.click(within(row('b.cfg')).getByRole('checkbox'));
    respond(configs.deleteConfig, { result: { deleted: 1 } });
    sendList(configs.listConfigs, [config('b'), config('c')]);
    await confirm();
    expect(await screen.findByText('Delete Success')).toBeTruthy();
    expect(requests(configs.deleteConfig).map(({ params }) => params.config)).toEqual(['a,b', 'a']);
    await expect.poll(() => screen.queryByText('a.cfg')).toBeNull();
  });
});

describe('/groups/configAdd', () => {
  test('CFG-02 a file, then its description, are uploaded, and the list shows it', async () => {
    const { open, visit, sendList, respond, requests, user, address } = startConsole();
    sendList(configs.listConfigs, []);
    await open('/groups/config');
    await user.click(button('Choose the first config file'));
    expect(address()).toBe('/groups/configAdd');
    await visit('/groups/config');
    await user.click(button('Upload'));
    await screen.findByRole('heading', { level: 1, name: 'Upload a config file' });
    expect(screen.queryByLabelText('Description')).toBeNull();
    expect(button('Upload').getAttribute('aria-disabled')).toBe('true');
    await user.upload(screen.getByLabelText('Config file', { selector: 'input' }), file('depot.cfg'));
    await user.type(screen.getByLabelText('Description'), 'Evening buses');
    const uploaded = { ...example(configs.uploadConfig).result, pk: 'depot', name: 'depot.cfg' };
    respond(configs.uploadConfig, { result: uploaded });
    sendList(configs.listConfigs, [uploaded]);
    await user.click(button('Upload'));
    expect((await screen.findByText('depot.cfg')).closest('tr')?.dataset['highlighted']).toBeDefined();
    expect(address()).toMatch(/^\/groups\/config(?:\?|$)/u);
    const [sent] = requests(configs.uploadConfig);
    expect(sent?.body).toEqual({ note: 'Evening buses' });
    expect(await sent?.files['config']?.text()).toBe('hostname depot\n');
  });

  test('CFG-02-partial says that the same name becomes the next version, and what the server does not accept', async () => {
    const { open, sendList, respond, requests, fail, user } = startConsole();
    sendList(configs.listConfigs, [
      config('other', { name: 'depot.cfg.old' }),
      config('known', { name: 'depot.cfg', version: 1 }),
    ]);
    fail(configs.uploadConfig, 'config.empty');
    await open('/groups/configAdd');
    const input = screen.getByLabelText('Config file', { selector: 'input' });
    await user.upload(input, file('new.cfg', ''));
    await user.click(button('Upload'));
    expect((await screen.findByRole('alertdialog')).textContent).toContain('The file is empty.');
    await user.click(button('OK'));
    expect(screen.queryByText(/already exists/u)).toBeNull();
    await user.upload(input, file('depot.cfg'));
    expect(await screen.findByText(/depot\.cfg already exists\. This upload becomes version 2/u)).toBeTruthy();
    respond(configs.uploadConfig, example(configs.uploadConfig));
    await user.click(button('Upload'));
    // Nothing was typed: the description of the former version stays.
    await expect.poll(() => requests(configs.uploadConfig)).toHaveLength(2);
    expect(requests(configs.uploadConfig)[1]?.body.note).toBeUndefined();
  });
});

describe('/groups/configSetting', () => {
  const version = (number: number) => ({ ...example(configs.getConfig).result.versions[0]!, number });
  const details = (parts: Partial<ReturnType<typeof example<typeof configs.getConfig>>['result']>) => ({
    result: { ...example(configs.getConfig).result, pk: 'depot', name: 'depot.cfg', ...parts },
  });

  test("CFG-03 edits the description alone; another user's save is shown first, and leaving asks", async () => {
    const { open, respond, sendList, fail, requests, user, address } = startConsole();
    respond(configs.getConfig, details({ note: 'Before', boundBy: [] }));
    await open('/groups/configSetting?config=depot');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('depot.cfg');
    expect(screen.getByRole('textbox', { name: 'Config File' }).hasAttribute('readonly')).toBe(true);
    expect(screen.getByText('Not bound to any group.')).toBeTruthy();
    const save = button('Save');
    const note = screen.getByLabelText<HTMLTextAreaElement>('Description');
    expect(save.getAttribute('aria-disabled')).toBe('true');
    await user.clear(note);
    await user.type(note, 'Mine');
    fail(configs.saveConfig, 'conflict.stale');
    respond(configs.getConfig, details({ note: 'Theirs' }));
    await user.click(save);
    expect((await screen.findByRole('alertdialog')).textContent).toContain('Its description is now "Theirs"');
    await user.click(button('OK'));
    expect(note.value).toBe('Mine');
    respond(configs.saveConfig, example(configs.saveConfig));
    respond(configs.getConfig, details({ note: 'Mine' }));
    await user.click(save);
    expect(await screen.findByText('Edit success')).toBeTruthy();
    const [first, second] = requests(configs.saveConfig);
    expect([first?.body, second?.body]).toEqual([{ note: 'Mine' }, { note: 'Mine' }]);
    expect(second?.ifMatch).not.toBe(first?.ifMatch);
    await user.type(note, '!');
    sendList(configs.listConfigs, []);
    await user.click(screen.getAllByRole('link', { name: 'Config Files' })[0]!);
    const question = await screen.findByRole('alertdialog');
    expect(question.textContent).toContain('There are unsaved changes. Do you want to save them before leaving?');
    await user.click(within(question).getByRole('button', { name: 'Save' }));
    await expect.poll(address).toMatch(/^\/groups\/config(?:\?|$)/u);
    expect(requests(configs.saveConfig).at(-1)?.body).toEqual({ note: 'Mine!' });
  });

  test('CFG-03-partial without a selection it leads to the list, and a file that is gone says so', async () => {
    const { open, visit, fail, address } = startConsole();
    await open('/groups/configSetting');
    expect(address()).toBe('/groups/config');
    fail(configs.getConfig, 'config.not_found');
    await visit('/groups/configSetting?config=gone');
    expect(screen.getByText('This config file no longer exists.')).toBeTruthy();
  });

  test('CFG-03-partial each version is read, compared with another, and saved as it was uploaded', async () => {
    const { open, respond, user, downloads } = startConsole();
    respond(configs.getConfig, details({ versions: [version(2), version(1)] }));
    const contents = ['hostname a\nntp on\n', 'hostname changed\nntp on\nnew line\n'];
    respond(configs.readConfigVersion, ({ params }) => contents[params.number - 1]!);
    await open('/groups/configSetting?config=depot');
    await user.click(button('View version 2'));
    const region = await screen.findByRole('region', { name: 'Contents of version 2' });
    expect(region.textContent).toContain('hostname changed\nntp on\nnew line');
    expect(region.textContent).toContain('1  \n2  \n3  ');
    await user.selectOptions(screen.getByLabelText('Compare with'), 'version 1');
    const added = await within(region).findAllByRole('insertion');
    expect(added.map(({ textContent }) => textContent)).toEqual(['hostname changed', 'new line']);
    expect(within(region).getByRole('deletion').textContent).toBe('hostname a');
    expect(region.textContent).toContain('  −\n1 +\n2  \n3 +');
    await user.click(button('Download version 2'));
    await expect.poll(() => downloads).toHaveLength(1);
    expect([downloads[0]?.name, await downloads[0]?.content.text()]).toEqual(['depot.cfg', contents[1]]);
  });
});
