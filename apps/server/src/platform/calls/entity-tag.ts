/**
 * Whether a version satisfies an If-Match header (RFC 9110, 13.1.1). Without the header every version does: a client that sends
 * none is not checked (DECISIONS, Concurrent edits). Weak tags match too, since proxies weaken what they compress.
 */
export function ifMatch(header: string | undefined): (version: number | string) => boolean {
  if (header === undefined || header.trim() === '' || header.trim() === '*') return () => true;
  const tags = new Set(header.split(',').map((tag) => tag.trim().replace(/^W\//u, '')));
  return (version) => tags.has(`"${version}"`);
}
