import { tidySearch } from '@highline/contract';
import { compactNumber } from '@highline/usp';

/** Whether one of the texts of a client has the searched one, in any case, or its MAC address, of which six digits are enough in any notation. */
export function hasSearched(search: string, mac: string, texts: readonly string[]): boolean {
  const [typed, number] = [search.toLowerCase(), compactNumber(search)];
  if (/^[0-9A-F]{6,12}$/u.test(number) && compactNumber(mac).includes(number)) return true;
  return [mac, ...texts].some((text) => tidySearch(text).toLowerCase().includes(typed));
}
