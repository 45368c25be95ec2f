/** Transactions that wrote into the outbox, until they end. */
const announced = new WeakSet<object>();

/** A transaction writes into the outbox. */
export function noteAnnounced(tx: object): void {
  announced.add(tx);
}

/** Whether readers of the outbox find something new when this transaction commits. */
export function hasAnnounced(tx: object): boolean {
  return announced.has(tx);
}
