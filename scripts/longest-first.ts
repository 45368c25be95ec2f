import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, the longest first: they begin and stop processes, or make thousands of rows. */
const longest = [
  'adapters/postgres/embedded',
  'system-tests/kill',
  'system-tests/rollout-kill',
  'system-tests/tenant-matrix',
  'system-tests/audit-matrix',
  'adapters/postgres/migrate',
  'updates/kill',
  'esims/kill',
  'rollouts/engine/trouble',
  'cli/cli',
  'groups/members',
  'remote-access/ends',
];

/** Without it files run by their size, and the last worker works alone on one of these. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const found = longest.findIndex((name) => moduleId.includes(`${name}.test.`));
      return found === -1 ? longest.length : found;
    };
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}
