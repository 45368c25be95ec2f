import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Actor, MainScope } from '../../kernel/scope.ts';
import { sorted, useTestApp } from '../../testing/test-app.ts';

const SERVICES = '/dmp_aa/api/v1/services/';

const app = useTestApp();
let main: MainScope;
let person: Actor;

beforeEach(async () => {
  main = (await app.seeding.mainAccount('Home')).scope;
  person = app.person(main, 'main');
  await app.takeOutbox();
});

let count = 0;
const freshEmail = () => {
  count += 1;
  return `chief-${count}@opening.invalid`;
};

const open = (body: Record<string, unknown>, query: Record<string, string> = {}, as = person) =>
  app.call('POST', SERVICES, { as, body, query });
const list = async (): Promise<{ name: string; contacts: { email: string; role: string }[] }[]> =>
  (await app.call('GET', SERVICES, { as: person, query: { limit: 50 } })).json.result.list;
const names = async () => (await list()).map(({ name }) => name);
const mailsTo = (email: string) => app.mailsTo(email);
const accountOf = async (email: string) =>
  (
    await app.owner.query('select id, organization_id, roles, is_contact, name, password_hash from accounts where email = $1', [
      email,
    ])
  ).rows[0];
const rolesOf = (id: string, roles: readonly string[]) =>
  app.owner.query('update accounts set roles = $2 where id = $1', [id, roles]);

test('SEC-F11 contacts count among the people that one account creates in a day, also in a dry run, which shows whether an address is taken', async () => {
  const key = `people-created:${person.accountId}`;
  await app.owner.query('insert into rate_windows (key, hits, ends_at) values ($1, 298, $2)', [
    key,
    new Date(app.clock.now().getTime() + 3_600_000),
  ]);
  const named = () => ({ name: 'North', contact: { email: freshEmail(), name: 'Dana' } });
  expect((await open(named(), { dryRun: '1' })).status).toBe(200);
  expect((await open(named())).status).toBe(200);
  for (const query of [{ dryRun: '1' }, {}]) {
    const rejected = await open(named(), query);
    expect([rejected.status, rejected.json.error.key]).toEqual([429, 'account.too_many_tries']);
  }
  expect(await names()).toEqual(['North']);
  expect((await open({ name: 'Without a contact' })).status).toBe(200);
});

describe('creating an organization', () => {
  test('ORG-03-partial it begins with its default group and an invited admin as its contact, and is in both logs', async () => {
    const email = freshEmail();
    const response = await open({
      realm: 'highline',
      name: '  North Shore Transit ',
      type: 'project',
      phone: '+1 312 555 0142',
      address: '1400 Harbor Avenue',
      tags: ['transit'],
      contact: { email: ` ${email.toUpperCase()} `, name: 'Dana' },
      language: 'zh-TW',
    });
    expect([response.status, response.json.result.dryRun]).toEqual([200, false]);
    const { id } = response.json.result as { id: string };
    expect(await list()).toMatchObject([
      {
        id,
        name: 'North Shore Transit',
        phone: '+1 312 555 0142',
        address: '1400 Harbor Avenue',
        tags: ['transit'],
        contacter: email,
        contacts: [{ email, role: 'super' }],
        expireDevices: '0/0',
      },
    ]);
    const account = await accountOf(email);
    expect(account).toMatchObject({ organization_id: id, roles: [`r.${id}.super`], is_contact: true, name: 'Dana' });
    const own = { kind: 'organization', mainAccountId: main.mainAccountId, organizationId: id } as const;
    const groups = await app.call('GET', '/data_manager/v1/dm/group', { as: app.person(own, 'admin') });
    expect(groups.json.result).toMatchObject([{ group: 'default+group+id' }]);
    expect(await mailsTo(email)).toMatchObject([
      { subject: '您受邀使用 Highline', plain: expect.stringContaining('https://cloud.test/account.html?invitation=') },
    ]);
    expect(await app.logOf(id)).toEqual(['Created organization North Shore Transit', `Invited ${email}`]);
    expect((await app.logOf(main.mainAccountId)).at(-1)).toBe('Created organization North Shore Transit');
    const announced = await app.takeOutbox();
    expect(announced.map(({ topic, organization_id }) => [topic, organization_id])).toEqual([
      ['organizations', id],
      ['accounts', id],
    ]);
  });

  test('ORG-03-partial without a contact no one is invited, and one without a name gets the address as name', async () => {
    expect((await open({ name: 'Bare' })).status).toBe(200);
    const email = freshEmail();
    await open({ name: 'Named', contact: { email } });
    expect(await list()).toMatchObject([{ name: 'Bare', contacts: [] }, { name: 'Named' }]);
    expect(await accountOf(email)).toMatchObject({ name: email });
  });

  test('ORG-03-partial an account without organization is reused, and keeps its name and password', async () => {
    const email = freshEmail();
    await app.seeding.account(main, email, 'none', 'her own password');
    const { id: account, name, password_hash } = await accountOf(email);
    const { id } = (await open({ name: 'Reused', contact: { email } })).json.result;
    const kept = { id: account, name, password_hash };
    expect(await accountOf(email)).toEqual({ ...kept, organization_id: id, roles: [`r.${id}.super`], is_contact: true });
  });

  test('ORG-03-partial the users of a deleted organization have no organization', async () => {
    const email = freshEmail();
    const { id } = (await open({ name: 'Old', contact: { email } })).json.result;
    expect((await open({ name: 'New', contact: { email } })).status).toBe(409);
    await app.call('DELETE', '/data_manager/v1/dm/org', { as: person, body: { org: id } });
    const again = await open({ name: 'New', contact: { email } });
    expect(again.status).toBe(200);
    expect(await accountOf(email)).toMatchObject({ roles: [`r.${again.json.result.id}.super`] });
  });

  test('ORG-03-partial an account with a role, with several, of another main account or of the caller exists already', async () => {
    const other = await app.seeding.organization(main, 'Other');
    const foreignUser = (await app.seeding.mainAccount('Abroad')).scope;
    const [one, several, strayed, unrelated] = Array.from({ length: 4 }, freshEmail) as [string, string, string, string];
    await app.seeding.account(other, one, 'user');
    const id = await app.seeding.account(other, several, 'admin');
    await rolesOf(id, [`r.${other.organizationId}.super`, `r.${randomUUID()}.vendor`]);
    await rolesOf(await app.seeding.account(main, strayed, 'none'), ['r.kmpService.vendor', `r.${other.organizationId}.vendor`]);
    await app.seeding.account(main, person.email, 'main');
    await app.seeding.account(foreignUser, unrelated, 'none');
    for (const email of [one, several, strayed, unrelated, person.email]) {
      const before = await accountOf(email);
      for (const query of [{ dryRun: 'true' }, { dryRun: 'false' }]) {
        const response = await open({ name: 'Rejected', contact: { email } }, query);
        expect([response.status, response.json.error.message], email).toEqual([409, 'Account already exists']);
      }
      expect(await accountOf(email)).toEqual(before);
      expect(await mailsTo(email)).toEqual([]);
    }
    expect(await names()).toEqual(['Other']);
  });

  test.each([
    ['no name', { name: '   ' }],
    ['a name of 10,000 characters', { name: 'x'.repeat(10_000) }],
    ['a name with control characters', { name: 'a\u0000b' }],
    ['a phone number of 10,000 characters', { name: 'Fine', phone: '1'.repeat(10_000) }],
    ['an e-mail address with a space in it', { name: 'Fine', contact: { email: 'a b@c.de' } }],
    ['an invalid e-mail address', { name: 'Fine', contact: { email: 'no-address' } }],
    ['an e-mail address with two dots', { name: 'Fine', contact: { email: 'zoë..x@ü.de' } }],
    ['an e-mail address of more than 320 characters', { name: 'Fine', contact: { email: `${'a'.repeat(320)}@x.de` } }],
    ['another type', { name: 'Fine', type: 'vendor' }],
    ['an invalid key', { name: 'Fine', requestKey: 'x' }],
  ])('ORG-03-partial %s is rejected', async (_, body) => {
    expect((await open(body)).status).toBe(400);
    expect(await names()).toEqual([]);
  });

  test('ORG-03-partial a dry run finds the same faults and writes nothing', async () => {
    const email = freshEmail();
    const logged = await app.logOf(main.mainAccountId);
    const dry = await open({ name: 'Rehearsed', contact: { email }, requestKey: randomUUID() }, { dryRun: '1' });
    expect(dry.json.result).toEqual({ id: '', dryRun: true });
    expect([await names(), await accountOf(email), await mailsTo(email)]).toEqual([[], undefined, []]);
    expect([await app.takeOutbox(), await app.logOf(main.mainAccountId)]).toEqual([[], logged]);
  });
});

describe('an organization that is created twice', () => {
  test('ORG-03-partial with one key, sequentially and concurrently, it is created once and its contact invited once', async () => {
    const [email, requestKey] = [freshEmail(), randomUUID()];
    const body = { name: 'Once', contact: { email }, requestKey };
    const responses = [...(await Promise.all([open(body), open(body), open(body)])), await open(body)];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(responses.map(({ json }) => json.result.id)).size).toBe(1);
    expect(await names()).toEqual(['Once']);
    expect(await mailsTo(email)).toHaveLength(1);
  });

  test('ORG-03-partial a key that was used for another name or contact is rejected, and applies to its main account only', async () => {
    const [email, requestKey] = [freshEmail(), randomUUID()];
    await open({ name: 'First', contact: { email }, requestKey });
    for (const body of [{ name: 'Second' }, { name: 'First', contact: { email: freshEmail() } }]) {
      const response = await open({ ...body, requestKey });
      expect([response.status, response.json.error.key]).toEqual([409, 'organization.key_reused']);
    }
    expect(await names()).toEqual(['First']);
    const foreignUser = (await app.seeding.mainAccount('Abroad')).scope;
    expect((await open({ name: 'Second', requestKey }, {}, app.person(foreignUser, 'main'))).status).toBe(200);
  });

  test('ORG-03-partial without a key, of two concurrent ones for one contact one is created', async () => {
    const contact = { email: freshEmail() };
    const responses = await Promise.all(['A', 'B'].map((name) => open({ name, contact })));
    expect(sorted(responses.map(({ status }) => status))).toEqual([200, 409]);
    expect(await names()).toHaveLength(1);
    expect(await mailsTo(contact.email)).toHaveLength(1);
  });
});
