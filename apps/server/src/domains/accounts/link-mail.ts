import { escapeHtml, type Language } from '../mails/index.ts';

export interface Mail {
  readonly subject: string;
  readonly plain: string;
  readonly html: string;
}

/** What a mail with a link says in one language. */
interface LinkWords {
  readonly subject: string;
  readonly greeting: (name: string) => string;
  readonly text: string;
  readonly ignore: string;
  readonly button: string;
}

/** A mail that asks to open a link, in both forms. Names are typed by people and escaped. */
export function linkMail(language: Language, say: LinkWords, name: string, link: string): Mail {
  const plain = `${say.greeting(name)}\n\n${say.text}\n\n${link}\n\n${say.ignore}\n\nHighline\n`;
  const html = `<!doctype html><html lang="${language}"><body style="font:15px/22px system-ui,sans-serif;color:#12161d">
<p>${escapeHtml(say.greeting(name))}</p><p>${escapeHtml(say.text)}</p>
<p><a href="${escapeHtml(link)}" style="display:inline-block;padding:10px 16px;border-radius:8px;background:#1f5fd6;color:#fff;text-decoration:none">${say.button}</a></p>
<p style="word-break:break-all">${escapeHtml(link)}</p><p style="color:#48505e">${say.ignore}</p><p>Highline</p></body></html>\n`;
  return { subject: say.subject, plain, html };
}
