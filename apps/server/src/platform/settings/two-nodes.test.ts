import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { variables } from './variables.ts';

// The commands of docs/two-nodes.md, which readers copy: what they name exists, and those that need no server are run.

const root = fileURLToPath(new URL('../../../../../', import.meta.url));
const text = readFileSync(join(root, 'docs/two-nodes.md'), 'utf8');
const blocks = Array.from(text.matchAll(/^```sh[^\n]*\n([\s\S]*?)^```$/gmu), ([, block]) => block!);
const all = blocks.join('\n');
const blockWith = (part: string) => blocks.find((block) => block.includes(part))!;

const folder = mkdtempSync(join(tmpdir(), 'highline-walk-'));
afterAll(() => rmSync(folder, { recursive: true }));

function bash(script: string, ...args: readonly string[]) {
  const env = { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin`, W: folder, SRC: root };
  return spawnSync('bash', [...args, '-c', script], { cwd: folder, encoding: 'utf8', env });
}

test('the walk to two nodes is valid bash, and every setting and command in it exists', () => {
  expect(blocks.length).toBeGreaterThan(10);
  for (const block of blocks) expect([block, bash(block, '-n').stderr]).toEqual([block, '']);
  const given = Array.from(all.matchAll(/(?:^|\s)([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)=/gmu), ([, name]) => name!);
  const others = ['HIGHLINE_SETTINGS', 'NODE_EXTRA_CA_CERTS'];
  expect(given.filter((name) => !Object.hasOwn(variables, name) && !others.includes(name))).toEqual([]);
  for (const name of ['DATABASE_READ_URL', 'NATS_URL', 'BLOBS_URL', 'TUNNEL_URL']) expect(given).toContain(name);
  const program = readFileSync(join(root, 'apps/server/src/cli/run.ts'), 'utf8');
  for (const [, command] of all.matchAll(/\$HIGHLINE (\w+)/gu))
    if (command !== 'serve') expect(program).toMatch(new RegExp(`import \\{[^}]*\\b${command}`, 'u'));
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
  for (const [, script] of all.matchAll(/npm run (?:-s --prefix \S+ )?(\w+)/gu)) expect(Object.keys(scripts)).toContain(script);
  for (const [, path] of all.matchAll(/\b(packaging\/[\w./-]+)/gu))
    expect([path, existsSync(join(root, path!))]).toEqual([path, true]);
});

test.skipIf(!existsSync('/usr/sbin/nginx'))('its certificate and its file for nginx are valid', () => {
  const commands = blockWith('> $W/nginx.conf').replace(/^nginx -c.*$/mu, 'nginx -t -c $W/nginx.conf -e $W/nginx.log');
  expect(commands).toContain('nginx -t');
  const { status, stderr } = bash(commands, '-e');
  expect([status, stderr]).toEqual([0, expect.any(String)]);
  const site = readFileSync(join(folder, 'site.conf'), 'utf8');
  for (const line of [
    '8444 node-1;',
    '8445 node-2;',
    'server 127.0.0.1:8081;',
    'server 127.0.0.1:8082;',
    'map $server_port $highline_upstream',
  ])
    expect(site).toContain(line);
});

test('its S3 store can be started as written', () => {
  const [, script = ''] = /node -e "([^"]+)"/u.exec(all.replaceAll('$W', folder).replaceAll('$SRC/', root)) ?? [];
  const made = spawnSync(process.execPath, ['-e', script.replace('.run()', '.callback()')], { cwd: folder, encoding: 'utf8' });
  expect([made.status, made.stderr]).toEqual([0, '']);
});
