import { resolve } from 'node:path';

/** Messages are typed by i18next and read by a hook of our own: see src/i18n/messages.ts (docs/domains/console.md). */
export const alias = { 'react-i18next': resolve(import.meta.dirname, 'src/i18n/use-translation.ts') };
