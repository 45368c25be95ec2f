import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { contractAsData } from '../apps/console/vite.contract.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = globSync('apps/console/src/**/*.{ts,tsx}', { cwd: root }).filter(
  (file) => !/\.test\.tsx?$|\/testing\//u.test(file),
);

/** The namespaces of the contract with the file of each, and the other names with theirs. */
const fileOfNamespace = new Map(
  ['domains.ts', 'index.ts'].flatMap((file) =>
    Array.from(
      readFileSync(`${root}packages/contract/src/${file}`, 'utf8').matchAll(/export \* as (\w+) from '\.\/([^']+)'/gu),
      ([, name, path]) => [name!, `${root}packages/contract/src/${path!}`] as const,
    ),
  ),
);

/** What a browser gets of a file of the contract; undefined = the file as it is. */
const sentOf = async (file: string): Promise<string | undefined> => {
  const { transform } = contractAsData() as {
    transform(code: string, id: string): Promise<{ readonly code: string } | undefined>;
  };
  return (await transform(readFileSync(file, 'utf8'), file))?.code;
};

test('what the console takes of the contract is there in a browser: files with schemas are sent as data, without functions', async () => {
  const missing: string[] = [];
  for (const [namespace, file] of fileOfNamespace) {
    const sent = await sentOf(file);
    if (sent === undefined) continue;
    const values = (await import(`file://${file}`)) as Readonly<Record<string, unknown>>;
    for (const source of sources) {
      const text = readFileSync(root + source, 'utf8');
      const imported = new RegExp(`import \\{[^}]*\\b${namespace}\\b(?: as (\\w+))?[^}]*\\} from '@highline/contract'`, 'u').exec(
        text,
      );
      if (imported === null) continue;
      const called = imported[1] ?? namespace;
      // Behind `typeof` it is a type, which no browser gets.
      for (const [, name = ''] of text.matchAll(new RegExp(String.raw`(?<!typeof |[\w.'\x60])${called}\.(\w+)`, 'gu')))
        if (name in values && !sent.includes(`export const ${name} =`))
          missing.push(`${source}: ${namespace}.${name} is no data. Move it to a file of the contract without schemas.`);
    }
  }
  expect(missing).toEqual([]);
});
