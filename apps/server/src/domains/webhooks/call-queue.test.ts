import { expect, it } from 'vitest';
import { CallQueue } from './call-queue.ts';
import type { LeasedDelivery } from './webhook-delivery.job.queries.ts';

const eventsOf = (owner: string, endpoint: string, count: number) =>
  Array.from({ length: count }, () => ({ owner_id: owner, endpoint_id: endpoint }) as LeasedDelivery);
const countOf = (deliveries: readonly LeasedDelivery[], owner: string) =>
  deliveries.filter(({ owner_id: id }) => id === owner).length;

it('HKS-01-partial webhooks of one owner whose receivers are slow leave places to others, and a place that is free goes to the owner with the fewest', () => {
  const queue = new CallQueue();
  for (let index = 0; index < 10; index++) queue.add(eventsOf('slow', `slow ${index}`, 50), 0);
  const first = queue.begin(0).fresh;
  expect(first).toHaveLength(128);
  // A place for each of its webhooks, not the first ones only.
  expect(new Set(first.map(({ endpoint_id: id }) => id)).size).toBe(10);
  queue.add(eventsOf('other', 'other', 50), 0);
  queue.add(eventsOf('third', 'third', 500), 0);
  const second = queue.begin(0).fresh;
  expect([countOf(second, 'slow'), countOf(second, 'other'), countOf(second, 'third')]).toEqual([0, 32, 32]);
  queue.end(second.find(({ owner_id: id }) => id === 'other')!);
  expect(queue.begin(0).fresh.map(({ owner_id: id }) => id)).toEqual(['other']);
});

it('HKS-01-partial an event that waited for a place for long is returned to the database', () => {
  const queue = new CallQueue();
  queue.add(eventsOf('one', 'one', 2), 0);
  const { fresh, stale } = queue.begin(20_001);
  expect([fresh.length, stale.length, queue.waiting]).toEqual([0, 2, 0]);
});
