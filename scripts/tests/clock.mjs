// A run with another date than today: libfaketime moves the clock of every program that the run starts, PostgreSQL too. Chromium does not
// start with it, so its pages get another Date (e2e/fixtures.ts).
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const LIBRARIES = '/usr/lib';

/** The environment of programs whose clock is at `now`, and goes on from there; undefined without libfaketime. */
export function environmentAt(now) {
  const folder = readdirSync(LIBRARIES)
    .map((name) => join(LIBRARIES, name, 'faketime'))
    .find((path) => existsSync(path));
  if (folder === undefined) return undefined;
  const moved = {
    LD_PRELOAD: join(folder, 'libfaketimeMT.so.1'),
    // A distance, not a time, at which each program would begin by itself.
    FAKETIME: `${Math.round((now.getTime() - Date.now()) / 1000)}s`.replace(/^(?!-)/, '+'),
    // Timers and timeouts measure what passes.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
  return { ...moved, FAKETIME_SHARED: sharedByAll(moved), HIGHLINE_TEST_MOVED_MS: String(now.getTime() - Date.now()) };
}

const MEMORY = '/dev/shm';

/**
 * What the programs of a run share is made by the first one for its own user; PostgreSQL runs as another.
 * @returns the names of a semaphore and of a piece of memory that all users may open, until this process ends
 */
function sharedByAll(moved) {
  const name = `highline_now_${process.pid}`;
  const files = [`${MEMORY}/sem.${name}`, `${MEMORY}/${name}`];
  const copy = `cp ${MEMORY}/sem.faketime_sem_$$ ${files[0]} && cp ${MEMORY}/faketime_shm_$$ ${files[1]} && chmod 666 ${files.join(' ')}`;
  execFileSync('sh', ['-c', copy], { env: { ...process.env, ...moved } });
  process.on('exit', () => files.forEach((file) => rmSync(file, { force: true })));
  return `/${name} /${name}`;
}
