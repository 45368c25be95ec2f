import { silentLog } from '../log.ts';
import { factoryState } from '../state/state.ts';
import { openFileStore } from '../state/store.ts';

/**
 * Commits a growing state repeatedly and prints each number once it is durable, until it is killed. For the test that kills it.
 */
const store = openFileStore(process.argv[2] ?? '', factoryState({ firmware: '1.0.0', config: null }), silentLog);
const rows = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`Device.Test.${n}.`, { Value: 'x'.repeat(100) }]));
for (;;) {
  const bootCount = store.current().bootCount + 1;
  store.commit({ ...store.current(), bootCount, rows });
  // Synchronous, so that a number is printed before the next write begins.
  process.stdout.write(`${bootCount}\n`);
}
