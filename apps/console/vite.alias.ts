import { resolve } from 'node:path';

/** Messages are typed by i18next and read by a hook of our own: see src/i18n/messages.ts (decision 0074). */
export const alias = { 'react-i18next': resolve(import.meta.dirname, 'src/i18n/use-translation.ts') };
