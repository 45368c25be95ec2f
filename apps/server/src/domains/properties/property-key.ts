/** The longest key without the number that makes it unique. */
const LONGEST = 40;

/**
 * The key of a new property, derived from its name: lower-case Latin letters, digits and underscores; 'property' if the name has
 * none of them.
 * @param taken keys of the organization; the first free number is appended if the key is taken
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
