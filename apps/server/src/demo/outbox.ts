import type { FastifyInstance, FastifyRequest } from 'fastify';
import { openMailText } from '../domains/mails/index.ts';
import type { Database, Row } from '../platform/ports/index.ts';
import { escapeHtml } from '../kernel/escape-html.ts';
import type { Sealing } from '../kernel/sealing.ts';
import { isLoopback } from '../platform/settings/variables.ts';

/** Newest first, enough for one page. */
const SHOWN = 50;

/** The mails of the demo as a page, so that links in them can be opened (DECISIONS, Mail). Never registered in production. */
export function registerDemoOutbox(app: FastifyInstance, database: Database, sealing: Sealing): void {
  app.get('/demo/outbox', async (request, reply) => {
    // A foreign name that resolves to this machine must not read the mails.
    if (!isLoopback(nameOf(request))) return reply.callNotFound();
    const mails = await database.read
      .selectFrom('mails')
      .select(['recipient', 'subject', 'plain', 'html', 'sealed', 'id', 'created_at'])
      .orderBy('id', 'desc')
      .limit(SHOWN)
      .execute();
    return reply
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(page(mails.map((mail) => article({ ...mail, ...openMailText(sealing, mail) }))));
  });
}

const nameOf = (request: FastifyRequest) => request.hostname.replace(/^\[|\]$/gu, '');

type Shown = Row<'mails', 'recipient' | 'subject' | 'plain' | 'created_at'>;

function article({ recipient, subject, plain, created_at: at }: Shown): string {
  const text = escapeHtml(plain).replaceAll(/https?:\/\/[^\s<]+/gu, (link) => `<a href="${link}">${link}</a>`);
  return `<article><h2>${escapeHtml(subject)}</h2><p>${escapeHtml(recipient)} · <time>${at.toISOString()}</time></p>
<p style="white-space:pre-wrap;overflow-wrap:anywhere">${text}</p></article>`;
}

function page(articles: readonly string[]): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Outbox · Highline demo</title></head><body style="font:15px/22px system-ui,sans-serif;max-width:720px;margin:24px auto;padding:0 16px;color-scheme:light dark">
<main><h1>Outbox of the demo</h1>${articles.length === 0 ? '<p>No mails yet.</p>' : articles.join('<hr>')}</main></body></html>\n`;
}
