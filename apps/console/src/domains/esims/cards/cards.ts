import { esims } from '@highline/contract';
import type { Profile } from '../esims.api.ts';

/** The input of a card. */
export type Field = 'ac' | 'confirmation' | 'iccid' | 'apn' | 'apn2' | 'name';
export type Values = Readonly<Record<Field, string>>;

/** One eSIM as a card (SIM-06). */
export interface Card {
  /** The pk; for a card without one, a client-side key. */
  readonly key: string;
  readonly kind: 'preloaded' | 'existing' | 'new';
  /** The stored profile. Absent: a new card. Empty pk: a preloaded profile that was never set up. */
  readonly profile: Profile | undefined;
  readonly values: Values;
  /** Will be deleted by Save. */
  readonly removed: boolean;
}

/** The user's unsaved changes, applied on top of the stored profiles. */
export interface Edits {
  readonly typed: Readonly<Record<string, Partial<Values>>>;
  /** Keys of the new cards, the oldest first. */
  readonly fresh: readonly string[];
  readonly removed: readonly string[];
  /** Keys in the order of priority; undefined while nothing was moved. */
  readonly order: readonly string[] | undefined;
}

export const noEdits: Edits = { typed: {}, fresh: [], removed: [], order: undefined };

const PLACEHOLDER = 'preloaded';
const empty: Values = { ac: '', confirmation: '', iccid: '', apn: '', apn2: '', name: '' };

/** The values of a stored profile. */
export function valuesOf({ ac, iccid, apn, apn2, name }: Profile): Values {
  // A confirmation code is never returned; input replaces it.
  return { ac, confirmation: '', iccid, apn, apn2, name };
}

/** Whether the last part of an activation code requires a confirmation code (SGP.22 4.1). */
export function needsConfirmationCode({ values }: Pick<Card, 'values'>): boolean {
  return values.ac.trim().split('$')[4] === '1';
}

/** True for the preloaded profile, however its code is written (SIM-04). */
export function isPreloaded({ ac }: Pick<Profile, 'ac'>): boolean {
  return ac === esims.PRELOAD || ac === 'pre';
}

/** True when nothing of this card is stored: a new one, or a preloaded one that was never set up. */
export function isUnsent({ profile }: Card): boolean {
  return profile === undefined || profile.pk === '';
}

/** Read-only: the router is deleting it (SIM-08). */
export function isDeleting({ profile }: Card): boolean {
  return profile?.status === 'Deleting...';
}

/** A preloaded card without input: there is nothing to send. */
export function isIdle(card: Card): boolean {
  return card.kind === 'preloaded' && isUnsent(card) && card.values.iccid === '' && card.values.apn === '';
}

/** The cards of a router in order: the stored profiles with the user's changes applied. */
export function cardsOf(profiles: readonly Profile[], edits: Edits): readonly Card[] {
  const removed = new Set(edits.removed);
  const stored = profiles.map((profile): Card => {
    const key = profile.pk === '' ? PLACEHOLDER : profile.pk;
    const kind = isPreloaded(profile) ? 'preloaded' : 'existing';
    return { key, kind, profile, values: { ...valuesOf(profile), ...edits.typed[key] }, removed: removed.has(key) };
  });
  const fresh = edits.fresh.map((key): Card => ({
    key,
    kind: 'new',
    profile: undefined,
    values: { ...empty, ...edits.typed[key] },
    removed: false,
  }));
  return ordered([...stored, ...fresh], edits.order);
}

/** Profiles that others added meanwhile follow the ordered ones. */
function ordered(cards: readonly Card[], order: readonly string[] | undefined): readonly Card[] {
  if (order === undefined) return cards;
  const positionOf = new Map(order.map((key, position) => [key, position]));
  return belowInUse(cards.toSorted((a, b) => (positionOf.get(a.key) ?? order.length) - (positionOf.get(b.key) ?? order.length)));
}

/** The card of the eSIM in use, or while that is not known of the one that came with the router. */
function inUse(cards: readonly Card[]): Card | undefined {
  return cards.find(({ profile }) => profile?.act === true) ?? cards.find(({ kind }) => kind === 'preloaded');
}

/** A new eSIM is placed below the one in use, wherever it was dropped: it never replaces it. */
function belowInUse(cards: readonly Card[]): readonly Card[] {
  const used = inUse(cards);
  if (used === undefined) return cards;
  const above = cards.slice(0, cards.indexOf(used));
  const fresh = above.filter(({ kind }) => kind === 'new');
  return [...above.filter(({ kind }) => kind !== 'new'), used, ...fresh, ...cards.slice(above.length + 1)];
}

/**
 * The editable fields of a card: all of a new one; else its name and APNs, and after a failed download also what may have been wrong:
 * the ICCID of the preloaded profile (SIM-07), the confirmation code of another.
 */
export function fieldsOf(card: Card): ReadonlySet<Field> {
  if (card.removed || isDeleting(card)) return new Set();
  if (card.kind === 'new') return new Set(['ac', 'confirmation', 'iccid', 'apn', 'apn2', 'name']);
  const wrong = card.profile?.status === 'Fail to download';
  if (card.kind === 'existing') return new Set(wrong ? ['confirmation', 'name', 'apn', 'apn2'] : ['name', 'apn', 'apn2']);
  return new Set(isUnsent(card) || wrong ? ['iccid', 'apn', 'apn2'] : ['apn', 'apn2']);
}

/** The number of used slots; one is always the preloaded profile's (SIM-07). A profile being deleted counts until it is gone. */
export function slotsUsed(cards: readonly Card[]): number {
  return cards.length;
}

/** True when no more can be added (SIM-07). */
export function isFull(cards: readonly Card[]): boolean {
  return slotsUsed(cards) >= esims.MAX_PROFILES;
}

/** Place of each card that stays, 1 = tried first. */
export function positionsOf(cards: readonly Card[]): ReadonlyMap<string, number> {
  const staying = cards.filter((card) => !card.removed && !isDeleting(card));
  return new Map(staying.map(({ key }, index) => [key, index + 1]));
}

/** A new card that is not sent because its ICCID is not known yet; the form does not block on it (DECISIONS). */
export function isWaiting(card: Card): boolean {
  return card.kind === 'new' && card.values.iccid.trim() === '';
}

/** The consequence of deleting this card for the router: none, another eSIM, or no connection (SIM-08). */
export function consequenceOf(card: Card, cards: readonly Card[]): 'none' | 'switches' | 'dark' {
  if (card.profile === undefined || !(card.profile.act || card.profile.status === 'In Use')) return 'none';
  const usable = cards.some((other) => other.key !== card.key && !other.removed && other.profile?.status === 'Activated');
  return usable ? 'switches' : 'dark';
}

/** Move a card to another position. */
export function moved(cards: readonly Card[], key: string, position: number): readonly string[] {
  const others = cards.map((card) => card.key).filter((other) => other !== key);
  return others.toSpliced(position, 0, key);
}
