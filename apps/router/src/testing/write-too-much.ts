import { silentLog } from '../log.ts';
import { createFileFlash } from '../platform/flash.ts';
import { factoryState } from '../state/state.ts';
import { openFileStore } from '../state/store.ts';

// Writes 9,000 bytes to the state in the given file and to the flash next to it, and prints what each came to: 'written' or an error code.

const text = 'x'.repeat(9_000);
const outcomeOf = async (write: () => unknown): Promise<string> => {
  try {
    await write();
    return 'written';
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
};

const file = process.argv[2] ?? '';
const store = openFileStore(file, factoryState({ firmware: '1.0.0', config: null }), silentLog);
const state = await outcomeOf(() => store.commit({ ...store.current(), rows: { 'Device.DeviceInfo.': { FriendlyName: text } } }));
const flash = await outcomeOf(() => createFileFlash(file).append('slot-2', Buffer.from(text)));
process.stdout.write(`state ${state}, flash ${flash}`);
