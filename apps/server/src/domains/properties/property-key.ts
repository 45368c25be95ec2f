/** Of its own letters, before a number that tells it from others. */
const LONGEST = 40;

/**
 * The key of a new property, made of its name: small Latin letters, digits and lines below; 'property' where the name has none of them.
 * @param taken keys of the organization; the first free number is added to one that is among them
 */
export function keyOf(name: string, taken: ReadonlySet<string>): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/gu, '_')
    .slice(0, LONGEST)
    .replaceAll(/^_+|_+$/gu, '');
  const key = plain === '' ? 'property' : plain;
  if (!taken.has(key)) return key;
  let number = 2;
  while (taken.has(`${key}_${number}`)) number += 1;
  return `${key}_${number}`;
}
