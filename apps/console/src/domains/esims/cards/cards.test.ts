import { describe, expect, test } from 'vitest';
import type { Profile } from '../esims.api.ts';
import { type Card, cardsOf, consequenceOf, type Edits, fieldsOf, isFull, moved, noEdits, positionsOf } from './cards.ts';
import { afterStep, isDirty, missingOf, stepsOf } from './save.ts';

const profile = (part: Partial<Profile>): Profile =>
  ({
    pk: 'a',
    ac: 'LPA:1$x$y',
    iccid: '8901',
    apn: 'fleet',
    apn2: '',
    name: 'Bus',
    status: 'Activated',
    priority: 2,
    etag: '"1"',
    ...part,
  }) as Profile;
const preloaded = profile({ pk: 'p', ac: 'preload', name: 'preloaded_eSIM', status: 'In Use', act: true, priority: 1 });
const placeholder = profile({
  pk: '',
  ac: 'preload',
  iccid: '',
  apn: '',
  name: 'preloaded_eSIM',
  status: 'Not Purchased',
  priority: 1,
  etag: '',
});
const first = profile({ pk: 'a', priority: 2 });
const second = profile({ pk: 'b', name: 'Spare', priority: 3 });
const stored = [preloaded, first, second];

const edits = (part: Partial<Edits>): Edits => ({ ...noEdits, ...part });
const summary = (profiles: readonly Profile[], part: Partial<Edits>) =>
  stepsOf(profiles, edits(part)).map((step) => [
    step.card.key,
    step.call === 'add'
      ? step.profile
      : step.call === 'change'
        ? step.change
        : step.call === 'order'
          ? step.order.map(({ profile: pk, priority }) => [pk, priority])
          : 'delete',
  ]);
const card = (profiles: readonly Profile[], key: string, part: Partial<Edits> = {}): Card =>
  cardsOf(profiles, edits(part)).find((one) => one.key === key)!;

describe('the cards of a router', () => {
  test('SIM-08-partial a save sends the preloaded card, existing ones, new ones, then the deletions', () => {
    expect(
      summary([first, second, preloaded], {
        typed: {
          p: { apn: 'other' },
          a: { name: 'Depot' },
          'new-1': { ac: ' LPA:1$s$t ', iccid: '8902', apn: 'm2m', apn2: '', name: '' },
        },
        fresh: ['new-1'],
        removed: ['b'],
      }),
    ).toEqual([
      ['p', { apn1: 'other' }],
      ['a', { name: 'Depot' }],
      ['new-1', { ac: 'LPA:1$s$t', iccid: '8902', apn: 'm2m' }],
      ['b', 'delete'],
    ]);
  });

  test('SIM-07-partial a new card is sent with code, ICCID and APN only; without an ICCID it waits on the page, and blocks nothing', () => {
    const typed = { 'new-1': { ac: 'LPA:1$s$t', apn: 'm2m' } };
    expect(summary(stored, { fresh: ['new-1'], typed })).toEqual([]);
    expect(missingOf(card(stored, 'new-1', { fresh: ['new-1'], typed }))).toEqual([]);
    expect(missingOf(card(stored, 'new-1', { fresh: ['new-1'] }))).toEqual(['ac', 'apn']);
    expect(isDirty(stored, edits({ fresh: ['new-1'] }))).toBe(true);
  });

  test('SIM-07-partial the preloaded card needs ICCID and APN 1 once the user starts it, and nothing before', () => {
    expect(summary([placeholder, first], {})).toEqual([]);
    expect(isDirty([placeholder, first], noEdits)).toBe(false);
    const begun = { typed: { preloaded: { apn: 'fleet' } } };
    expect(missingOf(card([placeholder], 'preloaded', begun))).toEqual(['iccid']);
    expect(isDirty([placeholder], edits(begun))).toBe(true);
    expect(summary([placeholder], { typed: { preloaded: { apn: 'fleet', iccid: '8903' } } })).toEqual([
      ['preloaded', { ac: 'preload', iccid: '8903', apn: 'fleet' }],
    ]);
  });

  test('SIM-07-partial only the ICCID of a rejected preloaded profile can be changed', () => {
    expect([...fieldsOf(card([preloaded], 'p'))]).toEqual(['apn', 'apn2']);
    expect([...fieldsOf(card([{ ...preloaded, status: 'Fail to download' }], 'p'))]).toEqual(['iccid', 'apn', 'apn2']);
    expect([...fieldsOf(card([{ ...first, status: 'Fail to download' }], 'a'))]).not.toContain('iccid');
    // Typed while the profile had failed; it recovered since, so the input is not sent.
    expect(summary([preloaded], { typed: { p: { iccid: '8904' } } })).toEqual([]);
  });

  test('SIM-07-partial a confirmation code is needed if the activation code requires it, and can be changed after it was rejected', () => {
    const fresh = (values: object) => ({ fresh: ['new-1'], typed: { 'new-1': { iccid: '8902', apn: 'm2m', ...values } } });
    expect(missingOf(card([], 'new-1', fresh({ ac: 'LPA:1$s$t' })))).toEqual([]);
    expect(missingOf(card([], 'new-1', fresh({ ac: ' LPA:1$s$t$$1 ' })))).toEqual(['confirmation']);
    expect(summary([], fresh({ ac: '1$s$t$$1', confirmation: ' 4711 ' }))).toEqual([
      ['new-1', { ac: '1$s$t$$1', confirmationCode: '4711', iccid: '8902', apn: 'm2m' }],
    ]);
    const rejected = { ...first, ac: '1$s$t$$1', status: 'Fail to download' as const };
    expect([...fieldsOf(card([rejected], 'a'))]).toEqual(['confirmation', 'name', 'apn', 'apn2']);
    expect(fieldsOf(card([first], 'a')).has('confirmation')).toBe(false);
    expect(summary([rejected], {})).toEqual([]);
    expect(summary([rejected], { typed: { a: { confirmation: '4712' } } })).toEqual([['a', { confirmationCode: '4712' }]]);
  });

  test('SIM-06-partial the order is the priority: only cards whose position changed are sent, and undoing a move is no change', () => {
    const up = moved(cardsOf(stored, noEdits), 'b', 1);
    expect(up).toEqual(['p', 'b', 'a']);
    expect(summary(stored, { order: up })).toEqual([
      [
        'b',
        [
          ['b', 2],
          ['a', 3],
        ],
      ],
    ]);
    expect(isDirty(stored, edits({ order: moved(cardsOf(stored, edits({ order: up })), 'b', 2) }))).toBe(false);
  });

  test("SIM-06-partial gaps left by a deletion are not a user's change, and a new card is last by default", () => {
    const gappy = [preloaded, { ...second, priority: 4 }];
    expect(isDirty(gappy, noEdits)).toBe(false);
    const typed = { 'new-1': { ac: 'c', iccid: 'i', apn: 'n' } };
    expect(summary(gappy, { fresh: ['new-1'], typed })).toEqual([['new-1', { ac: 'c', iccid: 'i', apn: 'n' }]]);
  });

  test('SIM-06-partial a new card stays below the one in use, wherever it is dropped', () => {
    const typed = { 'new-1': { ac: 'c', iccid: 'i', apn: 'n' } };
    const added = ['new-1', { ac: 'c', iccid: 'i', apn: 'n', priority: 2 }];
    expect(summary(stored, { fresh: ['new-1'], typed, order: ['new-1', 'p', 'a', 'b'] })).toEqual([
      [
        'a',
        [
          ['a', 3],
          ['b', 4],
        ],
      ],
      added,
    ]);
    // In use and not set up here; the eSIM in use is unknown.
    for (const act of [true, false]) {
      const cards = cardsOf([{ ...placeholder, act }, first], edits({ fresh: ['new-1'], order: ['new-1', 'a', 'preloaded'] }));
      expect(cards.map(({ key }) => key)).toEqual(['a', 'preloaded', 'new-1']);
    }
  });

  test('SIM-08-partial a card being deleted is read-only, has no position in the order, and counts until it is gone', () => {
    const going = [preloaded, { ...first, status: 'Deleting...' as const }, second, profile({ pk: 'c', priority: 4 })];
    expect(fieldsOf(card(going, 'a')).size).toBe(0);
    expect([...positionsOf(cardsOf(going, noEdits))]).toEqual([
      ['p', 1],
      ['b', 2],
      ['c', 3],
    ]);
    expect(isFull(cardsOf(going, noEdits))).toBe(true);
    expect(isFull(cardsOf(stored, noEdits))).toBe(false);
    expect(isFull(cardsOf(stored, edits({ fresh: ['new-1'] })))).toBe(true);
  });

  test('SIM-08-partial deleting the eSIM in use makes the router switch, or leaves it without one', () => {
    const used: Profile[] = [
      { ...preloaded, act: false, status: 'Activated' },
      { ...first, act: true, status: 'In Use' },
    ];
    expect(consequenceOf(card(used, 'p'), cardsOf(used, noEdits))).toBe('none');
    expect(consequenceOf(card(used, 'a'), cardsOf(used, noEdits))).toBe('switches');
    const alone = [{ ...placeholder }, used[1]!];
    expect(consequenceOf(card(alone, 'a'), cardsOf(alone, noEdits))).toBe('dark');
  });

  test('saved cards leave the edits, and those after a failure stay', () => {
    const before = edits({
      typed: { a: { name: 'x' }, 'new-1': { ac: 'c', iccid: 'i', apn: 'n' } },
      fresh: ['new-1'],
      removed: ['b'],
      order: ['new-1', 'a', 'p', 'b'],
    });
    const [, , add] = stepsOf(stored, before);
    expect(add?.call).toBe('add');
    expect(afterStep(before, add!, 'n')).toEqual({
      typed: { a: { name: 'x' } },
      fresh: [],
      removed: ['b'],
      order: ['n', 'a', 'p', 'b'],
    });
  });
});
