import { esims } from '@highline/contract';
import type { CardChange, NewProfile, Position, Profile } from '../esims.api.ts';
import {
  type Card,
  cardsOf,
  type Edits,
  type Field,
  fieldsOf,
  isDeleting,
  isIdle,
  isUnsent,
  needsConfirmationCode,
  positionsOf,
  valuesOf,
} from './cards.ts';

/** One call of a save. */
export type Step = { readonly card: Card } &
  /** All that moved, in one call. */
  (
    | { readonly call: 'order'; readonly order: readonly Position[] }
    | { readonly call: 'add'; readonly profile: NewProfile }
    | { readonly call: 'change'; readonly change: CardChange }
    | { readonly call: 'delete' }
  );

/** True when a person moved something, and not back again. */
function isReordered(cards: readonly Card[], profiles: readonly Profile[], edits: Edits): boolean {
  if (edits.order === undefined) return false;
  const before = cardsOf(profiles, { ...edits, order: undefined });
  return cards.some(({ key }, position) => before[position]?.key !== key);
}

const apiNames = { name: 'name', apn: 'apn1', apn2: 'apn2', iccid: 'iccid', confirmation: 'confirmationCode' } as const;

function changeOf(card: Card): CardChange {
  const { profile, values } = card;
  const change: CardChange = {};
  if (profile === undefined) return change;
  const stored = valuesOf(profile);
  for (const field of ['name', 'apn', 'apn2', 'iccid', 'confirmation'] as const)
    if (values[field].trim() !== stored[field] && fieldsOf(card).has(field)) change[apiNames[field]] = values[field].trim();
  return change;
}

function newProfileOf({ kind, values }: Card, position: number | undefined): NewProfile {
  const { ac, confirmation, iccid, apn, apn2, name } = values;
  return {
    ac: kind === 'preloaded' ? esims.PRELOAD : ac.trim(),
    ...(confirmation.trim() === '' || kind === 'preloaded' ? {} : { confirmationCode: confirmation.trim() }),
    iccid: iccid.trim(),
    apn: apn.trim(),
    ...(apn2.trim() === '' ? {} : { apn2: apn2.trim() }),
    ...(name.trim() === '' || kind === 'preloaded' ? {} : { name: name.trim() }),
    ...(position === undefined ? {} : { priority: position }),
  };
}

const rank: Readonly<Record<Card['kind'], number>> = { preloaded: 0, existing: 1, new: 2 };

/**
 * The calls of a save in the order of SIM-08: the order of the cards, the preloaded card, existing ones, new ones, then the deletions. A
 * new card without an ICCID is not sent and stays on the page (DECISIONS).
 */
export function stepsOf(profiles: readonly Profile[], edits: Edits): readonly Step[] {
  const cards = cardsOf(profiles, edits);
  const positions = isReordered(cards, profiles, edits) ? positionsOf(cards) : new Map<string, number>();
  const steps = cards.toSorted((a, b) => rank[a.kind] - rank[b.kind]).flatMap((card) => stepOf(card, positions.get(card.key)));
  const deletions = cards.filter(({ removed }) => removed).map((card): Step => ({ card, call: 'delete' }));
  return [...orderStep(cards, positions), ...steps, ...deletions];
}

function orderStep(cards: readonly Card[], positions: ReadonlyMap<string, number>): Step[] {
  const moved = cards.filter(
    (card) => !isUnsent(card) && positions.has(card.key) && positions.get(card.key) !== card.profile?.priority,
  );
  const order = moved.map(({ key }) => ({ profile: key, priority: positions.get(key)! }));
  return moved[0] === undefined ? [] : [{ card: moved[0], call: 'order', order }];
}

function stepOf(card: Card, position: number | undefined): Step[] {
  if (card.removed || isDeleting(card)) return [];
  if (isUnsent(card)) {
    const { iccid } = card.values;
    return isIdle(card) || iccid.trim() === '' ? [] : [{ card, call: 'add', profile: newProfileOf(card, position) }];
  }
  const change = changeOf(card);
  return Object.keys(change).length === 0 ? [] : [{ card, call: 'change', change }];
}

/** True when there is something to save or to lose. */
export function isDirty(profiles: readonly Profile[], edits: Edits): boolean {
  return edits.fresh.length > 0 || stepsOf(profiles, edits).length > 0 || cardsOf(profiles, edits).some(isHalfTyped);
}

/** The preloaded card has input and cannot be sent yet. */
function isHalfTyped(card: Card): boolean {
  return card.kind === 'preloaded' && isUnsent(card) && !isIdle(card);
}

/** Fields that must be filled before anything is sent (SIM-07). */
export function missingOf(card: Card): readonly Field[] {
  if (card.removed || isDeleting(card) || isIdle(card)) return [];
  const touched = isUnsent(card) || Object.keys(changeOf(card)).length > 0;
  return touched ? neededOf(card).filter((field) => card.values[field].trim() === '') : [];
}

function neededOf(card: Card): readonly Field[] {
  if (card.kind === 'preloaded') return ['iccid', 'apn'];
  if (card.kind === 'existing') return ['apn'];
  return needsConfirmationCode(card) ? ['ac', 'confirmation', 'apn'] : ['ac', 'apn'];
}

/** The edits left after a step; `pk` is that of an added profile. */
export function afterStep(edits: Edits, { call, card: { key } }: Step, pk: string | undefined): Edits {
  // The order stays until the new cards have their places in it.
  if (call === 'order') return edits;
  const { [key]: _saved, ...typed } = edits.typed;
  return {
    typed,
    fresh: edits.fresh.filter((other) => other !== key),
    removed: edits.removed.filter((other) => other !== key),
    order: edits.order?.map((other) => (other === key && pk !== undefined ? pk : other)),
  };
}
