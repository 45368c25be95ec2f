import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest test files, slowest first: they start and stop processes, or create thousands of rows. */
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

/** By default files run by size, and the last worker would run one of these alone. */
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
