import { readFileSync } from 'node:fs';

/** The version people see in the footer (NAV-04): the one of the root package. */
export const version: string = (
  JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
