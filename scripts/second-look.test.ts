import { describe, expect, it, vi } from 'vitest';
import type { FileReport } from './reports.mjs';
import { FILES_AT_MOST, withSecondLook } from './second-look.mjs';

const fault = (title: string) => ({ title, where: '', message: '' });

/** Result of a file with the given failed tests. */
function report(file: string, passed: number, ...failed: string[]): FileReport {
  return { file, passed, failed: failed.length, skipped: 0, failures: failed.map(fault) };
}

/** A runner that returns these results in order. */
function runner(...runs: FileReport[][]) {
  const run = vi.fn<(files: readonly string[]) => Promise<readonly FileReport[]>>();
  for (const reports of runs) run.mockResolvedValueOnce(reports);
  return run;
}

describe('the second run of failed files', () => {
  it('does not repeat passed files', async () => {
    const run = runner([report('a', 3), report('b', 2)]);
    expect(await withSecondLook(run)).toEqual({ entries: [report('a', 3), report('b', 2)], unsteady: [] });
    expect(run.mock.calls).toEqual([[[]]]);
  });

  it('repeats failed files once by themselves, and reports what passed only then', async () => {
    const run = runner([report('a', 3), report('b', 1, 'now and then')], [report('b', 2)]);
    expect(await withSecondLook(run)).toEqual({ entries: [report('a', 3), report('b', 2)], unsteady: [fault('now and then')] });
    expect(run.mock.calls).toEqual([[[]], [['b']]]);
  });

  it('keeps tests failed that fail twice, or only the second time', async () => {
    const run = runner([report('b', 1, 'always', 'once')], [report('b', 1, 'always', 'later')]);
    expect(await withSecondLook(run)).toEqual({
      entries: [report('b', 1, 'always', 'later')],
      unsteady: [fault('once')],
    });
  });

  it('keeps files failed that could not be run a second time', async () => {
    const outside = { passed: 0, failed: 1, skipped: 0, failures: [fault('the run itself')] };
    const run = runner([report('b', 1, 'always')], [outside]);
    expect(await withSecondLook(run)).toEqual({ entries: [report('b', 1, 'always'), outside], unsteady: [] });
  });

  it('is skipped for a fault outside of the files, and for more failures than a coincidence', async () => {
    const many = Array.from({ length: FILES_AT_MOST + 1 }, (_, index) => report(`f${index}`, 0, 'breaks'));
    const outside = { passed: 0, failed: 1, skipped: 0, failures: [fault('the server did not start')] };
    for (const entries of [many, [report('a', 1, 'breaks'), outside]]) {
      const run = runner(entries);
      expect(await withSecondLook(run)).toEqual({ entries, unsteady: [] });
      expect(run).toHaveBeenCalledOnce();
    }
  });
});
