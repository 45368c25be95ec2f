import { createHash } from 'node:crypto';

/**
 * The entity tag of a resource.
 * @param versions of what it is stored in
 * @param shown what it shows of others, which changes without them
 */
export function entityTag(versions: readonly number[], shown: unknown): string {
  const digest = createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 16);
  return `W/"${[...versions, digest].join('.')}"`;
}
