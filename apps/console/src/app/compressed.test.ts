import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compressed, WORTH_IT } from '../../vite.compress.ts';

test('every file that is sent as it is, and large enough, has compressed copies in the build', () => {
  const publicDir = join(import.meta.dirname, '../../public');
  const plugin = compressed() as unknown as {
    readonly configResolved: (config: { publicDir: string }) => void;
    readonly generateBundle: {
      handler(this: { emitFile: (file: { fileName: string }) => void }, options: object, bundle: object): void;
    };
  };
  const written: string[] = [];
  plugin.configResolved({ publicDir });
  plugin.generateBundle.handler.call({ emitFile: ({ fileName }) => written.push(fileName) }, {}, {});
  const large = readdirSync(publicDir).filter((file) => file !== 'icons' && statSync(join(publicDir, file)).size >= WORTH_IT);
  expect(large).toContain('first-calls.js');
  expect(written.toSorted()).toEqual(large.flatMap((file) => [`${file}.br`, `${file}.gz`]).toSorted());
});
