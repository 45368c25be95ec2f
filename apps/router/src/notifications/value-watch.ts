import { type RouterView, UspFault } from '../model/definition.ts';
import type { Model } from '../model/model.ts';
import { findParams, valueOf } from '../model/read.ts';
import type { Subscription } from './subscriptions.ts';

/** Called for each subscription whose parameter changed since the last check. */
export type ChangeHandler = (subscription: Subscription, path: string, value: string) => void;

/**
 * ValueChange by polling (TR-369 allows it). Parameters that change at every reading are left out, as GetSupportedDM states. Only
 * subscribed values are stored.
 */
export class ValueWatch {
  readonly #model: Model;
  readonly #router: RouterView;
  #watched: { subscription: Subscription; values: Map<string, string> }[] = [];

  constructor(model: Model, router: RouterView) {
    this.#model = model;
    this.#router = router;
  }

  get isIdle(): boolean {
    return this.#watched.length === 0;
  }

  /** Apply the current subscriptions; an unchanged one keeps its values, so that no change is missed. */
  follow(subscriptions: readonly Subscription[]): void {
    const known = new Map(this.#watched.map((entry) => [entry.subscription.row, entry.values]));
    this.#watched = subscriptions
      .filter(({ notifType }) => notifType === 'ValueChange')
      .map((subscription) => ({ subscription, values: known.get(subscription.row) ?? this.#read(subscription) }));
  }

  /** Compare now. Appearing or vanishing between two checks is not a value change. */
  check(changed: ChangeHandler): void {
    for (const entry of this.#watched) {
      const now = this.#read(entry.subscription);
      for (const [path, value] of now) {
        const before = entry.values.get(path);
        if (before !== undefined && before !== value) changed(entry.subscription, path, value);
      }
      entry.values = now;
    }
  }

  #read(subscription: Subscription): Map<string, string> {
    return new Map(subscription.references.flatMap((reference) => this.#readReference(reference)));
  }

  #readReference(reference: string): [string, string][] {
    try {
      const found = findParams(this.#model, this.#router, reference);
      return found
        .filter(({ param }) => !('read' in param && param.fluctuating))
        .map((each) => [each.path, valueOf(this.#router, each)]);
    } catch (error) {
      // A reference to a missing object must not fail.
      if (error instanceof UspFault) return [];
      throw error;
    }
  }
}
