/**
 * Do something for organizations one after another, since no request waits for it; one that fails does not keep the others from it.
 * @param idOf the organization of an item
 * @throws AggregateError naming the organizations where it failed
 */
export async function forEachOrganization<Item>(
  items: readonly Item[],
  idOf: (item: Item) => string,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const failures: Error[] = [];
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      failures.push(new Error(`Organization ${idOf(item)} failed.`, { cause: error }));
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, failures.map(({ message }) => message).join(' '));
}
