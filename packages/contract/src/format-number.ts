let format: Intl.NumberFormat | undefined;

/**
 * A number as people read it, on screens and in messages: `100,000`, `−73.5` with a minus sign (U+2212), rounded to 10 decimals (SHR-09). Files for
 * programs (CSV) and coordinates, which people copy to other maps, have a hyphen.
 */
export function formatNumber(value: number): string {
  return (Number.isSafeInteger(value) ? groupDigits(value) : formatFraction(value)).replace('-', '−');
}

function groupDigits(value: number): string {
  const digits = String(Math.abs(value));
  const first = digits.length % 3 || 3;
  return (value < 0 ? '-' : '') + digits.slice(0, first) + digits.slice(first).replaceAll(/\d{3}/gu, ',$&');
}

/** With the formats of the language, which a browser reads at the first use: a twentieth of a second of a slow processor, which counts do not need. */
function formatFraction(value: number): string {
  format ??= new Intl.NumberFormat('en-US', { maximumFractionDigits: 10, signDisplay: 'negative' });
  return format.format(value);
}
