import { createHash } from 'node:crypto';

/** Names what something says, for entity tags: the same for the same content, another for any other. */
export function contentVersion(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16);
}
