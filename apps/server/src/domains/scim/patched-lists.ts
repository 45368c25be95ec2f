import type { Attribute } from './attributes.ts';
import type { Document } from './resource.ts';
import { isRecord } from './stored-values.ts';

/** A value that is now the preferred one takes that from the others (RFC 7644, 3.5.2). */
export function keepOnePrimary(all: unknown, written: readonly unknown[]): void {
  const isPrimary = (value: unknown): value is Document => isRecord(value) && value['primary'] === true;
  const preferred = written.findLast(isPrimary);
  if (preferred === undefined || !Array.isArray(all)) return;
  for (const each of all) if (isPrimary(each) && each !== preferred) each['primary'] = false;
}

export function recordIn(home: Document, key: string): Document {
  const value = home[key];
  if (isRecord(value)) return value;
  const made: Document = {};
  home[key] = made;
  return made;
}

export function listIn(home: Document, { name }: Attribute): unknown[] {
  const value = home[name];
  return Array.isArray(value) ? value : [];
}
