/** The languages the product speaks. */
export type Language = 'en-US' | 'zh-TW';

/** Text that stands in a mail's HTML as it is, whoever typed it. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
