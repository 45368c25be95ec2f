import { type RouterView, UspFault } from '../model/definition.ts';
import type { Model } from '../model/model.ts';
import { findParams, valueOf } from '../model/read.ts';
import type { Subscription } from './subscriptions.ts';

/** Called for each subscription whose parameter has another value than when it was last looked at. */
export type ChangeHandler = (subscription: Subscription, path: string, value: string) => void;

/**
 * ValueChange by comparing (TR-369 allows agents to poll). Parameters that move at every reading are left out, as GetSupportedDM
 * says of them. Values are remembered for what is subscribed to only.
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

  /** Takes the current subscriptions; one that did not change keeps the values it knows, so that no change slips through. */
  follow(subscriptions: readonly Subscription[]): void {
    const known = new Map(this.#watched.map((entry) => [entry.subscription.row, entry.values]));
    this.#watched = subscriptions
      .filter(({ notifType }) => notifType === 'ValueChange')
      .map((subscription) => ({ subscription, values: known.get(subscription.row) ?? this.#read(subscription) }));
  }

  /** Compares now. What appears or vanishes between two looks is no change of a value. */
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
        .filter(({ param }) => !('read' in param && param.restless))
        .map((each) => [each.path, valueOf(this.#router, each)]);
    } catch (error) {
      // A reference to something that this router lacks, or lacks for now, is no reason to fail.
      if (error instanceof UspFault) return [];
      throw error;
    }
  }
}
