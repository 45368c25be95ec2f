import type { RemoteHost } from '../host.ts';
import type { Reading } from '../readings.ts';
import { type Html, html } from './html.ts';

const NAVIGATION = [
  ['/', 'Status'],
  ['/log', 'Log'],
  ['/settings', 'Settings'],
] as const;

/** The current path, and the form secret that keeps other sites from submitting forms. */
export type PageFrame = { currentPath: string; formSecret: string };

export function framedPage({ router }: RemoteHost, { currentPath, formSecret }: PageFrame, title: string, content: Html): Html {
  const links = NAVIGATION.map(
    ([path, name]) => html`<a href="${path}" ${path === currentPath ? html`aria-current="page"` : html``}>${name}</a>`,
  );
  return wholePage(
    `${title} · ${router.identity.serial}`,
    html`<header>
        ${brandMark(router.identity.model)}
        <span class="serial">${router.identity.serial}</span>
        <nav aria-label="Pages">${links}</nav>
        <form method="post" action="/sign-out">
          <input type="hidden" name="form" value="${formSecret}" />
          <button class="quiet">Sign out</button>
        </form>
      </header>
      <main>${content}</main>`,
  );
}

export function wholePage(title: string, body: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="/icon.svg" />
        <link rel="stylesheet" href="/page.css" />
      </head>
      <body>
        ${body}
      </body>
    </html>`;
}

export function brandMark(model: string): Html {
  return html`<span class="brand"><img src="/icon.svg" alt="" width="24" height="24" />Highline ${model}</span>`;
}

export function pageCard(title: string, content: Html): Html {
  return html`<section class="card">
    <h2>${title}</h2>
    ${content}
  </section>`;
}

/** @param isLive update the values while the page is open */
export function pageList(readings: readonly Reading[], isLive = false): Html {
  const rows = readings.map(
    ([name, value]) =>
      html`<div>
        <dt>${name}</dt>
        <dd ${isLive ? html`data-reading="${name}"` : html``}>${value}</dd>
      </div>`,
  );
  return html`<dl>${rows}</dl>`;
}

export function bars(count: number): Html {
  return html`<div class="bars" data-bars="${count}" role="img" aria-label="Signal"><i></i><i></i><i></i><i></i></div>`;
}
