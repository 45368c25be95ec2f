import { devices } from '@highline/contract';
import { DomainError } from '../../kernel/failure.ts';
import type { Actor, Scope } from '../../kernel/scope.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Database } from '../../platform/ports/database.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { recordAudit, sentence } from '../logs/index.ts';
import { type Colors, insertColor, lockColors, ownerOf, readColors, updateColor } from './carrier-colors.store.ts';

/** Carriers of an owner whose colours are kept: a router may report any name. */
const MOST_KEPT = 100;

/**
 * The colour of each carrier, from 1. One that has none gets the one that the fewest have, and keeps it: a further carrier never changes those of
 * others (SAY-11).
 */
export async function readCarrierColors(database: Database, scope: Scope, carriers: readonly string[]): Promise<Colors> {
  const kept = await readColors(database.read, scope);
  if (carriers.every((carrier) => kept.has(carrier))) return kept;
  return database.write(async (tx) => {
    await lockColors(tx, scope);
    const known = await readColors(tx, scope);
    const all = withColors(carriers, known);
    const added = [...all].filter(([carrier]) => !known.has(carrier)).slice(0, Math.max(0, MOST_KEPT - known.size));
    for (const [carrier, color] of added) await insertColor(tx, scope, carrier, color);
    return all;
  });
}

/** The colour of each carrier: the one it has, else the one that the fewest have. */
export function withColors(carriers: readonly string[], kept: Colors): Colors {
  const colors = new Map(kept);
  for (const carrier of carriers.filter((each) => !colors.has(each)).toSorted()) {
    const uses = Array.from(
      { length: devices.CARRIER_COLORS },
      (_, place) => [...colors.values()].filter((color) => color === place + 1).length,
    );
    colors.set(carrier, uses.indexOf(Math.min(...uses)) + 1);
  }
  return colors;
}

/**
 * Change the colour of a carrier for everyone who sees this scope.
 * @throws DomainError `not_found` for a carrier that the scope does not have
 */
export async function changeCarrierColor(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  scope: Scope,
  actor: Actor,
  change: { readonly carrier: string; readonly color: number },
): Promise<void> {
  const { carrier, color } = change;
  await database.write(async (tx) => {
    if (!(await updateColor(tx, scope, carrier, color))) throw new DomainError('not_found');
    await announce(tx, scope, 'devices', []);
    const kind = scope.kind === 'organization' ? 'organization' : 'main_account';
    const event = {
      action: sentence('carrier.color_changed', carrier),
      subject: { kind, id: ownerOf(scope) },
      detail: { carrier, color },
    };
    await recordAudit(tx, ownerOf(scope), actor, event, clock.now());
  });
}
