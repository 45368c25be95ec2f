import { readFileSync } from 'node:fs';

const TYPES = { 'page.css': 'text/css', 'live.js': 'text/javascript', 'icon.svg': 'image/svg+xml' } as const;

const read = new Map<string, { type: string; bytes: Buffer }>();

/** A static file of the pages, by its path: '/page.css'. Read at first use. */
export function findFile(path: string): { type: string; bytes: Buffer } | undefined {
  const name = path.slice(1);
  if (!Object.hasOwn(TYPES, name)) return undefined;
  const known = read.get(name);
  if (known) return known;
  const bytes = readFileSync(new URL(name, import.meta.url));
  const file = { type: `${TYPES[name as keyof typeof TYPES]}; charset=utf-8`, bytes };
  read.set(name, file);
  return file;
}
