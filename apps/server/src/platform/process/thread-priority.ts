import { setPriority } from 'node:os';
import { platform } from 'node:process';

/** Of background threads: below usual processes, above idle ones. */
const NICE = 10;

/**
 * Let the thread that calls it run after others: files can wait, lists cannot. On Linux a priority is that of a thread; elsewhere it would be that of
 * the whole process, so nothing is done there.
 */
export function lowerThreadPriority(): void {
  if (platform === 'linux') setPriority(NICE);
}
