/** Keys that were pressed before the part of the page that answers them was loaded. */
export interface KeyQueue {
  readonly press: (key: string) => void;
  /** Receive the keys pressed so far, in their order, and every later one. @returns ends it */
  readonly listen: (listener: (key: string) => void) => () => void;
}

export function createKeyQueue(): KeyQueue {
  let waiting: string[] = [];
  let receive: ((key: string) => void) | undefined;
  return {
    press(key) {
      if (receive === undefined) waiting.push(key);
      else receive(key);
    },
    listen(listener) {
      receive = listener;
      const keys = waiting;
      waiting = [];
      for (const key of keys) listener(key);
      return () => {
        if (receive === listener) receive = undefined;
      };
    },
  };
}
