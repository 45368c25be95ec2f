import { readFileSync } from 'node:fs';

/** The version shown in the footer (NAV-04): that of the root package. */
export const version: string = (
  JSON.parse(readFileSync(new URL('../../../../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
