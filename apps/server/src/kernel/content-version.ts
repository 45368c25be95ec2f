import { createHash } from 'node:crypto';

/** Entity tag of content: equal for equal content, different otherwise. */
export function contentVersion(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16);
}
