import { esims } from '@highline/contract';
import type { Row } from '../../platform/ports/tables.ts';

/** A profile among those of its router. */
export type ProfileSlot = Row<'esim_profiles', 'id' | 'is_preloaded' | 'priority'>;

/** Whether a router has a free slot for another profile; one slot is reserved for the preloaded one (SIM-07). */
export function hasCapacity(slots: readonly ProfileSlot[], preloaded: boolean): boolean {
  const others = slots.filter(({ is_preloaded }) => !is_preloaded).length;
  return preloaded ? others < esims.MAX_PROFILES : others < esims.MAX_PROFILES - 1;
}

/** The first free number. */
export function freePriority(slots: readonly Pick<ProfileSlot, 'priority'>[]): number {
  const taken = new Set(slots.map(({ priority }) => priority));
  let free = 1;
  while (taken.has(free)) free += 1;
  return free;
}

/**
 * Give a profile its priority: the one that had it gets the number that becomes free. So two never have the same, and a page that
 * saves its cards one after another ends with exactly the order it shows.
 * @param id undefined for a profile that is about to be added
 * @returns the new priority of the one that has to move
 */
export function swapPriority(
  slots: readonly ProfileSlot[],
  id: string | undefined,
  priority: number,
): { readonly id: string; readonly priority: number } | undefined {
  const holder = slots.find((slot) => slot.priority === priority && slot.id !== id);
  if (holder === undefined) return undefined;
  const before = slots.find((slot) => slot.id === id)?.priority;
  return { id: holder.id, priority: before ?? freePriority(slots) };
}
