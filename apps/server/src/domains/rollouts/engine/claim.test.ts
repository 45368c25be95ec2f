import { makeMac } from '@highline/usp';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { newId } from '../../../kernel/ids.ts';
import { useTestApp } from '../../../testing/test-app.ts';
import { claimDownloads, findDueRollouts } from './due.store.ts';

const ORGANIZATIONS = 3;
const ROLLOUTS = 3;
const ROUTERS = 5;
const PLACE_MS = 30_000;

const app = useTestApp();
const now = new Date('2026-11-23T12:00:00Z');
const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1_000);

/** A target that waits for a place since some seconds, or that has one. */
type State = 'waiting' | 'running' | 'disconnected' | 'claimed' | 'lapsed' | 'elsewhere';

interface TestTarget {
  readonly organization: string;
  readonly binding: string;
  readonly device: string;
  readonly router: string;
  readonly isSmall: boolean;
}
const targets: TestTarget[] = [];

beforeAll(async () => {
  const main = (await app.seeding.mainAccount('Claim')).scope;
  const file = await app.seeding.firmware(main, { model: 'HL', version: '2.0' });
  for (let index = 0; index < ORGANIZATIONS; index++) {
    const scope = await app.seeding.organization(main, `Claim ${index}`);
    for (let number = 0; number < ROLLOUTS; number++) {
      const group = await app.seeding.group(scope, `Group ${number}`);
      const first = (index * ROLLOUTS + number) * ROUTERS;
      const added = Array.from({ length: ROUTERS }, (_, n) => ({
        serial: `CL${first + n}`,
        mac: makeMac(0x92000 + first + n),
        group,
      }));
      await app.seeding.routers(main, added);
      await app.seeding.devices(scope, added);
      if (number < ROLLOUTS - 1) await app.seeding.binding(scope, { kind: 'firmware', group, file, schedule: 'immediate' });
      else {
        // The last group of each organization gets a config file: exactly 64 KB, one byte more, and a few bytes.
        const contents = '#'.repeat([64 * 1024, 64 * 1024 + 1, 1][index]!);
        const config = await app.seeding.config(scope, { name: `claim-${index}.cfg`, contents });
        await app.seeding.binding(scope, { kind: 'config', group, file: config, schedule: 'immediate' });
      }
    }
  }
  const { rows } = await sql<TestTarget>`select t.organization_id as organization, t.binding_id as binding, t.device_id as device,
    t.router_id as router, coalesce(v.size <= 64 * 1024, false) as "isSmall"
    from rollout_targets t join bindings b on b.id = t.binding_id left join config_versions v on v.config_id = b.config_id`.execute(
    app.database.read,
  );
  targets.push(...rows);
});

interface Situation {
  readonly state: State;
  /** Seconds since it began to wait. */
  readonly age: number;
}

async function arrange(situations: readonly Situation[]): Promise<void> {
  const rows = situations.map(({ state, age }, index) => ({
    ...targets[index],
    phase: state === 'running' || state === 'disconnected' ? 'sent' : 'idle',
    reason: state === 'waiting' ? 'queued' : null,
    presence: state === 'disconnected' ? 'offline' : 'online',
    updated: secondsAgo(age),
    since: sinceOf(state),
  }));
  const set = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    as n (router uuid, phase text, reason text, presence text, updated timestamptz, since timestamptz)`;
  await app.database.write(async (tx) => {
    await sql`update routers r set presence = n.presence from ${set} where r.id = n.router`.execute(tx);
    await sql`update rollout_targets t set phase = n.phase, reason = n.reason, updated_at = n.updated, download_since = n.since, due_at = null
      from ${set} where t.router_id = n.router`.execute(tx);
  });
}

function sinceOf(state: State): Date | null {
  if (state === 'waiting' || state === 'elsewhere') return null;
  return state === 'claimed' ? secondsAgo(5) : secondsAgo(PLACE_MS / 1_000);
}

/** A target and whether it has got a place. */
interface Seen extends TestTarget, Situation {
  readonly isGiven: boolean;
  readonly isUsed: boolean;
}

async function seen(situations: readonly Situation[]): Promise<Seen[]> {
  const { rows } = await sql<{ router: string }>`select router_id as router from rollout_targets
    where due_at = ${now}::timestamptz and download_since = due_at`.execute(app.database.read);
  const given = new Set(rows.map(({ router }) => router));
  return situations.map((situation, index) => {
    const isGiven = given.has(targets[index]!.router);
    const isUsed = isGiven || situation.state === 'running' || situation.state === 'claimed';
    return { ...targets[index]!, ...situation, isGiven, isUsed };
  });
}

const count = (all: readonly Seen[], which: (one: Seen) => boolean) => all.filter((one) => which(one)).length;
const isWaiting = ({ state, isGiven }: Seen) => state === 'waiting' && !isGiven;

/** None of them got a place while another one with fewer places waited for its next. */
function expectRoundRobin(parts: readonly (readonly Seen[])[]): void {
  const used = (part: readonly Seen[]) => count(part, ({ isUsed }) => isUsed);
  const given = parts.filter((part) => part.some(({ isGiven }) => isGiven)).map((part) => used(part));
  const left = parts.filter((part) => part.some((one) => isWaiting(one))).map((part) => used(part));
  if (given.length > 0 && left.length > 0) expect(Math.max(...given)).toBeLessThanOrEqual(Math.min(...left) + 1);
}

/** Organizations, their rollouts and their routers of one kind got places round robin. */
function expectFair(all: readonly Seen[]): void {
  const organizations = [...Map.groupBy(all, ({ organization }) => organization).values()];
  expectRoundRobin(organizations);
  for (const organization of organizations) {
    const rollouts = [...Map.groupBy(organization, ({ binding }) => binding).values()];
    expectRoundRobin(rollouts);
    for (const rollout of rollouts) {
      const ages = (which: (one: Seen) => boolean) => rollout.filter((one) => which(one)).map(({ age }) => age);
      const [first, last] = [ages(({ isGiven }) => isGiven), ages(isWaiting)];
      if (first.length > 0 && last.length > 0) expect(Math.min(...first)).toBeGreaterThanOrEqual(Math.max(...last));
    }
  }
}

const situations = fc.array(
  fc.record({
    state: fc.constantFrom<State>('waiting', 'waiting', 'waiting', 'running', 'disconnected', 'claimed', 'lapsed', 'elsewhere'),
    age: fc.nat({ max: 600 }),
  }),
  { minLength: ORGANIZATIONS * ROLLOUTS * ROUTERS, maxLength: ORGANIZATIONS * ROLLOUTS * ROUTERS },
);

/** Places beyond those that are used: mostly fewer than wait, sometimes enough for all, or none. */
const freePlaces = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 8 }) },
  { weight: 1, arbitrary: fc.integer({ min: -5, max: ORGANIZATIONS * ROLLOUTS * ROUTERS }) },
);

test('NOD-01-partial places among the downloads go round: organization, rollout, then the longest wait; claims at once exceed nothing, and small files and images do not wait for each other', async () => {
  let hadLeft = 0;
  await fc.assert(
    fc.asyncProperty(
      situations,
      fc.record({ large: freePlaces, small: freePlaces }),
      fc.constantFrom(1, 3),
      async (all, free, claims) => {
        await arrange(all);
        const before = await seen(all);
        const of = (everything: readonly Seen[], small: boolean) => everything.filter(({ isSmall }) => isSmall === small);
        const usedOf = (small: boolean) => count(of(before, small), ({ isUsed }) => isUsed);
        const places = { large: Math.max(0, usedOf(false) + free.large), small: Math.max(0, usedOf(true) + free.small) };
        const responses = await Promise.all(
          Array.from({ length: claims }, () => claimDownloads(app.database.read, places, now, PLACE_MS)),
        );
        const after = await seen(all);
        let left = 0;
        for (const small of [false, true]) {
          const most = Math.max(0, (small ? places.small : places.large) - usedOf(small));
          const waiting = count(of(before, small), isWaiting);
          const given = count(of(after, small), ({ isGiven }) => isGiven);
          // Whatever the others occupy or wait for.
          expect(given).toBe(Math.min(waiting, most));
          left += most - given;
          expectFair(of(after, small));
          if (given > 0 && given < waiting) hadLeft++;
        }
        expect(Math.min(...responses.map((response) => response.free))).toBe(left);
        expect(responses.some((response) => response.isWaiting)).toBe(before.some((one) => isWaiting(one)));
      },
    ),
    { numRuns: 60 },
  );
  expect(hadLeft).toBeGreaterThan(5);
});

test('NOD-01-partial routers that are due go by organization when there are more than one pass can take', async () => {
  await sql`update rollout_targets set due_at = ${secondsAgo(60)}::timestamptz`.execute(app.database.read);
  const small = targets.at(-1)!;
  await sql`update rollout_targets set due_at = case when router_id = ${small.router}::uuid then ${now}::timestamptz end
    where organization_id = ${small.organization}::uuid`.execute(app.database.read);
  const taken = await findDueRollouts(app.database.read, newId(), now, 4);
  expect(taken).toHaveLength(4);
  expect(taken).toContain(small.router);
  const due = ROLLOUTS * ROUTERS * (ORGANIZATIONS - 1) + 1;
  expect(await findDueRollouts(app.database.read, newId(), now, due + 1)).toHaveLength(due);
});

test('NOD-01-partial a claim reads about as many targets as it gives places to, also of a rollout that is in no statistics yet', async () => {
  const main = (await app.seeding.mainAccount('Large claim')).scope;
  const file = await app.seeding.firmware(main, { model: 'HL', version: '3.0' });
  const scope = await app.seeding.organization(main, 'Large claim');
  const group = await app.seeding.group(scope, 'All');
  const added = Array.from({ length: 400 }, (_, n) => ({ serial: `LC${n}`, mac: makeMac(0xa2000 + n), group }));
  await app.seeding.routers(main, added);
  await app.seeding.devices(scope, added);
  await app.seeding.binding(scope, { kind: 'firmware', group, file, schedule: 'immediate' });
  await sql`update rollout_targets set reason = null, due_at = null, download_since = null`.execute(app.database.read);
  await sql`update rollout_targets set reason = 'queued', updated_at = ${secondsAgo(9)}::timestamptz
    where organization_id = ${scope.organizationId}::uuid`.execute(app.database.read);
  const read = await app.database.write(async (tx) => {
    // Since the connection was last idle.
    const readSoFar = async () => {
      const { rows } = await sql<{ count: number }>`select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as count
        from pg_stat_xact_user_tables where relname = 'rollout_targets'`.execute(tx);
      return rows[0]!.count;
    };
    const before = await readSoFar();
    expect(await claimDownloads(tx, { large: 20, small: 20 }, now, PLACE_MS)).toEqual({ free: 20, isWaiting: true });
    return (await readSoFar()) - before;
  });
  expect(read).toBeGreaterThanOrEqual(20);
  expect(read).toBeLessThan(200);
});
