import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../toolchain.mjs';
import { cities } from './cities.ts';
import { archiveOf } from './tiles.ts';

// `npm run streets` writes the streets of the map that is shipped.
const folder = join(root, 'apps', 'server', 'maps');
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'streets.pmtiles'), archiveOf(cities));
