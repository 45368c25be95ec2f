import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest test files, slowest first: they start and stop processes, or create thousands of rows. */
const longest = [
  'system-tests/kill',
  'system-tests/rollout-kill',
  'system-tests/agents',
  'transport/http/fair-answers',
  'system-tests/tenant-matrix',
  'system-tests/audit-matrix',
  'scripts/serve',
  'adapters/postgres/embedded',
  'devices/devices.paging',
  'transport/http/calls',
  'cli/cli',
  'devices/devices.import',
  'groups/members',
  'rollouts/bindings',
  'transport/usp/abuse',
  'system-tests/data-service',
  'fuzz/fuzz',
  'adapters/postgres/migrate',
  'rollouts/engine/trouble',
  'transport/usp/client-certificates',
  'remote-access/ends',
  'accounts/accounts.limits',
  'compose/readiness',
  'esims/follow',
  'process/last-net',
  'connection/presence',
  'updates/kill',
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
