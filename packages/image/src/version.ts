/** A firmware version as it is compared: `v2.0.1` is the same as `2.0.1`. */
export function plainVersion(version: string): string {
  return version.replace(/^[vV](?=\d)/u, '');
}

/** Whether a version is older than another by the numbers at their beginning; where one has none, or they are equal, it is not. */
export function isOlderVersion(version: string, than: string): boolean {
  const [own, other] = [numbersOf(version), numbersOf(than)];
  const index = own.findIndex((number, at) => number !== other[at]);
  if (own.length === 0 || other.length === 0) return false;
  if (index === -1) return own.length < other.length;
  const [left, right] = [own[index]!, other[index]];
  return right !== undefined && left < right;
}

/** Without the zeros at the end: 2.0 is 2.0.0. */
function numbersOf(version: string): bigint[] {
  const text = /^\d{1,18}(?:\.\d{1,18})*(?!\d)/u.exec(plainVersion(version))?.[0] ?? '';
  const numbers = text === '' ? [] : text.split('.').map(BigInt);
  return numbers.slice(0, Math.max(1, numbers.findLastIndex((number) => number !== 0n) + 1));
}
