import { live } from '@highline/contract';

/** The transaction of an id, which is `{transaction}.{epoch seconds}`. */
const orderOf = (id: string): bigint => BigInt(/^\d+/u.exec(id)?.[0] ?? 0);

/** Whether an id comes before another one; before none, each does. */
export const isOlder = (id: string, than: string | undefined): boolean => than === undefined || orderOf(id) < orderOf(than);

/** Event ids of responses, until a stream of changes follows them. */
export function createEventIds() {
  let oldest: string | undefined;
  let onOlder: (() => void) | undefined;
  return {
    /** Note the id of a response. */
    note({ headers }: Response): void {
      const id = headers.get(live.EVENT_ID_HEADER);
      if (id === null || !isOlder(id, oldest)) return;
      oldest = id;
      onOlder?.();
    },
    /**
     * The oldest id so far: a stream that begins after it reports every change that one of the responses does not show. Undefined when
     * none has come.
     * @param late runs when an older answer arrives later, whose changes the stream does not report
     */
    follow(late: () => void): string | undefined {
      onOlder = oldest === undefined ? undefined : late;
      return oldest;
    },
  };
}

/** Those of the calls of this page. */
export const eventIds = createEventIds();
