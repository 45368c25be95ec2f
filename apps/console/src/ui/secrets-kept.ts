import { createContext } from 'react';

/** Inside a dialog with secrets: a text that was copied, or saved as a file; the secrets in it are not lost any more. */
export const SecretsKept = createContext<(text: string) => void>(() => undefined);
