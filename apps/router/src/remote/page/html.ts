/** Text that is safe in a page. */
export type Html = { readonly html: string };

type Part = string | number | Html | readonly Html[];

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Build a part of a page; every inserted value is escaped unless it was built the same way. */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  return { html: texts.reduce((built, text, at) => built + textOf(parts[at - 1] ?? '') + text) };
}

function textOf(part: Part): string {
  if (typeof part === 'object') return 'html' in part ? part.html : part.map((each) => each.html).join('');
  return String(part).replaceAll(/[&<>"']/gu, (character) => ESCAPES[character] ?? '');
}
