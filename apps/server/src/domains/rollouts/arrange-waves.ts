import { DomainError, type OrganizationScope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/index.ts';
import type { BindingContent } from './bindings.store.ts';
import { openWavesOf } from './open-waves.ts';
import { chooseCanaries, chooseFirst, divideIntoWaves, openIfFirstIsEmpty, setCanaries } from './waves.store.ts';

/**
 * Choose the routers that go first, and divide the others among the waves. What a rollout keeps of the one before may name devices that are gone.
 * @throws DomainError `binding.first` when none of those that go first is among its routers
 */
export async function arrangeWaves(
  tx: Tx,
  scope: OrganizationScope,
  id: string,
  { waves, canaries }: Pick<BindingContent, 'waves' | 'canaries'>,
  now: Date,
): Promise<void> {
  const first = waves?.first ?? null;
  if (first !== null) {
    const chosen = await chooseFirst(tx, scope, id, first);
    if (chosen === 0) throw new DomainError('binding.first', { field: 'first' });
    await setCanaries(tx, scope, id, chosen);
  } else if (canaries > 0) await chooseCanaries(tx, scope, id, canaries, now);
  if (waves === null) return;
  await divideIntoWaves(tx, scope, id, waves);
  await openIfFirstIsEmpty(tx, scope, id);
  await openWavesOf(tx, id, now);
}
