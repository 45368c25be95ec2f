import { createHash } from 'node:crypto';

/** Entity tag of content: equal for equal content, different otherwise. */
export function contentVersion(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16);
}

/** A document with the version of its content. */
export function withVersion<Content extends object>(content: Content): Content & { readonly version: string } {
  return { ...content, version: contentVersion(content) };
}
