const format = new Intl.NumberFormat('en-US', { maximumFractionDigits: 10, signDisplay: 'negative' });

/**
 * A number as people read it, on screens and in messages: `100,000`, `−73.5` with a minus sign (U+2212), rounded to 10 decimals (SHR-09). Files for
 * programs (CSV) and coordinates, which people copy to other maps, have a hyphen.
 */
export function formatNumber(value: number): string {
  return format.format(value).replace('-', '−');
}
