import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest test files, slowest first: they start and stop processes, or create thousands of rows. */
const longest = [
  'system-tests/kill',
  'system-tests/rollout-kill',
  'system-tests/key-matrix',
  'system-tests/tenant-matrix',
  'system-tests/audit-matrix',
  'system-tests/nodes',
  'adapters/postgres/embedded',
  'cli/cli',
  'rollouts/engine/trouble',
  'system-tests/agents',
  'compose/readiness',
  'devices/devices.paging',
  'esims/follow',
  'remote-access/ends',
  'accounts/accounts.limits',
  'transport/usp/abuse',
  'system-tests/proxies',
  'transport/usp/client-certificates',
  'transport/http/fair-answers',
  'scripts/serve',
  'transport/http/calls',
  'fuzz/fuzz',
  'adapters/postgres/migrate',
  'transport/usp/presence',
  'rollouts/engine/engine',
  'system-tests/failover',
  'system-tests/data-service',
  'system-tests/replica',
  'process/last-net',
  'accounts/accounts.password',
  'scripts/release',
  'accounts/second-factor',
  'connection/presence',
  'groups/members',
  'transport/usp/strict-agent',
  'scripts/slow-expressions',
  'updates/kill',
  'commands/commands',
  'accounts/accounts.sign-in',
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
