import { createPublicKey } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { OrganizationScope } from '../../kernel/scope.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { recordAudit, verifyAuditExport } from './index.ts';

const LOG = '/data_manager/v1/operation_log';
const actor = { accountId: null, email: 'dana@highline.invalid', role: 'admin', address: '192.0.2.7' };

const app = useTestApp();
let scope: OrganizationScope;

beforeAll(async () => {
  scope = await app.seeding.organization((await app.seeding.mainAccount('Home')).scope, 'Own');
});

const write = (action: string, detail: Record<string, unknown> = {}, who = actor) =>
  app.database.write((tx) =>
    recordAudit(tx, scope.organizationId, who, { action, subject: { kind: 'device', id: 'x' }, detail }, app.clock.now()),
  );
const as = () => app.person(scope, 'user');
const newest = async () => (await app.call('GET', LOG, { as: as(), query: { limit: 1 } })).json.result[0];

describe('LOG-02-partial an entry accepts any input, and stays within its limits', () => {
  test.each([
    ['script', '<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['controls and line breaks', 'a\u0000b\u001b[31mc\r\n2,evil\td\u0085e', 'a b [31mc 2,evil d e'],
    ['text that runs backwards', 'file\u202Egpj.exe\u2066', 'file gpj.exe'],
    ['half a character', 'bus \ud83d end', 'bus \u{fffd} end'],
    ['a megabyte', 'x'.repeat(1_048_576), `${'x'.repeat(999)}…`],
    ['a megabyte of pairs', '🚌'.repeat(262_144), `${'🚌'.repeat(999)}…`],
    ['exactly the maximum length', '路'.repeat(1_000), '路'.repeat(1_000)],
  ])('an action of %s', async (_, action, expected) => {
    await write(action);
    expect((await newest()).subject).toBe(expected);
  });

  test.each(['=1+1', '+1+cmd', '-2+3', '@SUM(A1)', '\t=1', '\r=1', '=HYPERLINK("http://x","y")'])(
    'the action %j is not a formula in a spreadsheet, and one cell of one line',
    async (action) => {
      await write(action);
      const { text } = await app.call('GET', `${LOG}/export`, { as: as(), query: { search: action.trim() } });
      const lines = text.split('\r\n').filter((line) => line !== '');
      const cell = lines[1]!.split(',').slice(4).join(',');
      expect(cell.replace(/^"/u, '')[0]).toBe("'");
      for (const line of lines.slice(1))
        expect(line.split(',').slice(0, 4).join(',')).toMatch(/^\d+,[^,]+,dana@[^,]+,192\.0\.2\.7$/u);
    },
  );

  test('a detail that is too large is stored as its start, size and digest, and values that jsonb cannot hold are replaced', async () => {
    await write('Large', { note: '路'.repeat(1_048_576) });
    const { detail } = await newest();
    expect(detail.tooLarge).toMatchObject({ bytes: 3 * 1_048_576 + '{"note":""}'.length });
    expect(JSON.stringify(detail).length).toBeLessThan(2_000);
    await write('Odd', { 'a\0': ['b\0', { c: 'half \udc00' }], at: new Date('2026-01-02T03:04:05.678Z'), n: Number.NaN });
    expect((await newest()).detail).toEqual({
      'a\u{fffd}': ['b\u{fffd}', { c: 'half \u{fffd}' }],
      at: '2026-01-02T03:04:05.678Z',
      n: null,
    });
  });

  test('actor and address are limited too, and the stored entry still verifies', async () => {
    await write('Far', {}, { ...actor, email: `${'e'.repeat(5_000)}@x\n`, address: '\0'.repeat(3_000) });
    expect((await newest()).email).toBe(`${'e'.repeat(319)}…`);
    const auditExport = await app.call('GET', `${LOG}/evidence`, { as: app.person(scope, 'admin') });
    const pem = (await app.call('GET', `${LOG}/key`, { as: as() })).json.result.publicKey as string;
    async function* bytes() {
      yield Buffer.from(auditExport.text);
    }
    expect((await verifyAuditExport(bytes(), [createPublicKey(pem)], () => [])).entries).toBeGreaterThan(15);
  });
});
