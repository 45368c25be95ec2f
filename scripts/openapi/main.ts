// `npm run openapi`: writes the lists of what the domains declare, then openapi.json and the typed client from the contract. `-- --check`
// only says what is not up to date, as `npm run check` does. `-- --release` makes the present calls the ones that later changes are compared
// with (docs/decisions/0064).
import { join } from 'node:path';
import { writeLists } from './lists.ts';

const isCheck = process.argv.includes('--check');
const stale = writeLists(join(import.meta.dirname, '..', '..'), { onlyCheck: isCheck });
if (isCheck)
  for (const file of stale) {
    console.error(`${file} is not what the folders of the domains hold. Run \`npm run openapi\` and commit it.`);
    process.exitCode = 1;
  }
// It reads the contract, and so the lists.
await import('./calls.ts');
