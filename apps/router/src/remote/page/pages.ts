import { ADMINISTRATOR, PASSWORD_IS_DEFAULT } from '../../model/objects/users.ts';
import { formatTime } from '../../model/params.ts';
import type { RemoteHost } from '../host.ts';
import { firmwareReadings, friendlyName, liveReadings, signalBars, simReadings, systemReadings } from '../readings.ts';
import { type Html, html } from './html.ts';
import { framedPage, wholePage, brandMark, pageCard, pageList, bars, type PageFrame } from './page-parts.ts';

/** @param fault of the last attempt; '' = none */
export function signInPage({ router }: RemoteHost, formSecret: string, fault: string): Html {
  return wholePage(
    'Sign in',
    html`<main class="sign-in">
      <div class="card">
        ${brandMark(router.identity.model)}
        <h1>Sign in</h1>
        <p class="dim">With the one-time username and password that the console showed you.</p>
        ${fault === '' ? html`` : html`<p class="note bad" role="alert">${fault}</p>`}
        <form method="post" action="/sign-in">
          <input type="hidden" name="form" value="${formSecret}" />
          <label
            >Username <input name="username" autocomplete="off" autocapitalize="none" spellcheck="false" required autofocus
          /></label>
          <label>Password <input name="password" type="password" autocomplete="off" required /></label>
          <button>Sign in</button>
        </form>
      </div>
    </main>`,
  );
}

/** Readings of the router, updated by live.js; without scripts they stay as of the request. */
export function statusPage(host: RemoteHost, frame: PageFrame): Html {
  const { router } = host;
  return framedPage(
    host,
    frame,
    'Status',
    html`<div class="head">
        <h1>Status</h1>
        <span class="state" role="status" data-live><i class="dot"></i><span>Connecting …</span></span>
      </div>
      <div class="grid">
        ${pageCard('Now', html`${bars(signalBars(router))}${pageList(liveReadings(router), true)}`)}
        ${pageCard('Router', pageList(systemReadings(router)))} ${pageCard('SIM', pageList(simReadings(router)))}
        ${pageCard('Firmware', pageList(firmwareReadings(router)))}
      </div>
      <script src="/live.js" defer></script>`,
  );
}

/** Recent events of the router, from its activity log. */
export function logPage(host: RemoteHost, frame: PageFrame): Html {
  const rows = host.activityLog.entries.map(
    ({ at, part, text }) =>
      html`<tr>
        <td class="when"><time datetime="${formatTime(at)}">${formatTime(at).replace('T', ' ').replace('Z', '')}</time></td>
        <td class="part">${part}</td>
        <td>${text}</td>
      </tr>`,
  );
  return framedPage(
    host,
    frame,
    'Log',
    html`<div class="head">
        <h1>Log</h1>
        <a class="button" href="/log">Refresh</a>
      </div>
      <p class="dim">Since the last start, newest first. Times are UTC by this router's clock.</p>
      <div class="card">
        <table>
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col">Part</th>
              <th scope="col">What happened</th>
            </tr>
          </thead>
          <tbody>
            ${rows.reverse()}
          </tbody>
        </table>
      </div>`,
  );
}

/** @param note result of the last save; undefined: nothing was saved */
export function settingsPage(
  host: RemoteHost,
  frame: PageFrame,
  note?: { text: string; isFault: boolean; typed?: string },
): Html {
  const { router } = host;
  const isDefault = router.row(ADMINISTRATOR)?.[PASSWORD_IS_DEFAULT] !== 'false';
  return framedPage(
    host,
    frame,
    'Settings',
    html`<div class="head"><h1>Settings</h1></div>
      ${note ? html`<p class="note ${note.isFault ? 'bad' : 'ok'}" role="${note.isFault ? 'alert' : 'status'}">${note.text}</p>` : html``}
      <div class="grid">
        <section class="card">
          <h2>Vehicle</h2>
          <form method="post" action="/settings">
            <input type="hidden" name="form" value="${frame.formSecret}" />
            <label
              >Vehicle name
              <input
                name="vehicle"
                maxlength="64"
                value="${note?.typed ?? friendlyName(router)}"
                aria-describedby="vehicle-hint"
              />
            </label>
            <p class="dim" id="vehicle-hint">How this router calls itself, at most 64 characters.</p>
            <button>Save</button>
          </form>
        </section>
        ${pageCard(
          'Sign-in',
          pageList([
            ['Administrator', isDefault ? 'default password' : 'own password'],
            ['Remote sign-in', 'one-time credentials, or those of the administrator'],
          ]),
        )}
      </div>`,
  );
}

/** A page with a single message, e.g. for an unknown path. */
export function plainPage(title: string, text: string): Html {
  return wholePage(
    title,
    html`<main class="sign-in">
      <div class="card">
        <h1>${title}</h1>
        <p>${text}</p>
        <p><a href="/">To the status page</a></p>
      </div>
    </main>`,
  );
}
