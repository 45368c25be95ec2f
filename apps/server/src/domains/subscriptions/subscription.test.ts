import { subscriptionState } from '@highline/contract';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { useTestApp } from '../../testing/test-app.ts';
import { subscriptionDay, subscriptionIs } from './subscription.sql.ts';

const app = useTestApp();

const states = ['subscribed', 'expiring', 'not-subscribed'] as const;

/** The states of a subscription according to SQL. */
async function statesInSql(started: string | null, expires: string | null, now: Date, expiringDays: number) {
  const day = subscriptionDay(now, expiringDays);
  const [row] = await app.reader.rows<Record<string, boolean | null>>(
    sql`select ${sql.join(states.map((state) => sql`${subscriptionIs(state, day)} as ${sql.id(state)}`))}
      from (select ${started}::date as started_on, ${expires}::date as expires_on) d`,
  );
  return states.filter((state) => row![state] === true);
}

test('DEV-02-partial the filter of a service status finds exactly what the pure derivation returns', async () => {
  const day = fc
    .integer({ min: -60, max: 60 })
    .map((offset) => new Date(Date.UTC(2026, 10, 20 + offset)).toISOString().slice(0, 10));
  const dates = fc.oneof(fc.tuple(day, day), fc.constant([null, null] as const));
  const instant = fc.oneof(fc.integer({ min: 0, max: 86_399_999 }), fc.constantFrom(0, 1, 86_399_999));
  await fc.assert(
    fc.asyncProperty(dates, instant, fc.integer({ min: 0, max: 45 }), async ([started, expires], milliseconds, expiringDays) => {
      const now = new Date(Date.UTC(2026, 10, 20) + milliseconds);
      expect(await statesInSql(started, expires, now, expiringDays)).toEqual([
        subscriptionState(started, expires, now, expiringDays),
      ]);
    }),
    { numRuns: 400 },
  );
});

test('DEV-02-partial a subscription ends at 24:00 UTC of its expiry day, and is expiring for 30 days before', async () => {
  const at = (now: string) => statesInSql('2026-01-01', '2026-11-20', new Date(now), 30);
  expect(await at('2026-10-21T23:59:59.999Z')).toEqual(['subscribed']);
  expect(await at('2026-10-22T00:00:00Z')).toEqual(['expiring']);
  expect(await at('2026-11-20T23:59:59.999Z')).toEqual(['expiring']);
  expect(await at('2026-11-21T00:00:00Z')).toEqual(['not-subscribed']);
});
