import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root, SERVER_OPTIONS } from './toolchain.mjs';

test.each(['bin/highline', 'packaging/systemd/highline.service'])(
  'NOD-07-partial %s starts the server with the options of npm start',
  (file) => {
    const starts = readFileSync(join(root, file), 'utf8').match(/node (?:--\S+ )*(?=\S*apps\/server\/src\/main\.ts)/gu);
    expect(starts).toEqual([`node ${['--disable-warning=ExperimentalWarning', ...SERVER_OPTIONS].join(' ')} `]);
  },
);
