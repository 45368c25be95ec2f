import { createStore, useStore } from '../ui/store.ts';

/** Age of the data in the newest answer, ms: above 0 while the server reads lists from a database replica that is visibly behind. */
const dataAge = createStore(0);

/** Store the age of the data in a response; answers to changes have none. */
export function noteDataAge({ headers }: Pick<Response, 'headers'>, isRead: boolean): void {
  if (isRead) dataAge.set(Number(headers.get('highline-data-age') ?? 0) * 1000);
}

/** Age of the data when it was answered, ms. */
export function useDataAge(): number {
  return useStore(dataAge);
}
