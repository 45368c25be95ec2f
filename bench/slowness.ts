import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { USUAL_UNIT_MS } from '../scripts/tests/processor-time.mjs';

const UNIT = fileURLToPath(new URL('../scripts/tests/processor-time.mjs', import.meta.url));

/** Times as much processor as on the machine of docs/benchmarks.md that a fixed piece of work takes here and now. */
export function measureSlowness(): number {
  return Number(execFileSync(process.execPath, [UNIT], { encoding: 'utf8' })) / USUAL_UNIT_MS;
}
