const standard = new Map<string, string>();
const keys = new Map<string, string>();

/**
 * The messages that the server sends for these failures if it has nothing more precise to say: a language whose texts replace them brings
 * them, so that in English, where the server's message is shown as it is, they are not part of the first load.
 * @param messages by failure key
 */
export function addStandardMessages(messages: Readonly<Record<string, string>>): void {
  for (const [key, message] of Object.entries(messages)) {
    standard.set(key, message);
    keys.set(message, key);
  }
}

/** A sentence that rows of a file have for this failure where another message is its standard one. */
export function addRowMessage(key: string, message: string): void {
  keys.set(message, key);
}

/** The failure that a sentence of the server says; undefined for one that says more. */
export const keyOfMessage = (message: string): string | undefined => keys.get(message);

/** Whether a message says no more than its failure key. */
export const isStandardMessage = (key: string, message: string): boolean => standard.get(key) === message;
