import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { guard } from './guard.ts';
import type { RemoteHost } from './host.ts';
import type { LocalService, Visits } from './local-service.ts';
import { LiveView } from './page/live-view.ts';
import { SignIns } from './page/sign-ins.ts';
import { WebPage } from './page/web-page.ts';

const MAX_CONNECTIONS = 64;

/**
 * The router's web page on loopback: it listens while sign-ins are possible, and longer for signed-in users. A page uses many
 * connections, so unlike a shell it would end with the port.
 */
export function createGuiService(host: RemoteHost, visits: Visits): LocalService {
  let server: Server | undefined;
  let takesSignIns = false;

  const stopWhenEmpty = () => {
    if (takesSignIns || signIns.count > 0) return;
    server?.close();
    server = undefined;
  };
  const signIns = new SignIns(host.scheduler, () => {
    visits.leave();
    stopWhenEmpty();
  });
  const page = new WebPage(host, visits, signIns);
  const live = new LiveView(host, signIns);

  return {
    get port() {
      return (server?.address() as AddressInfo | null | undefined)?.port;
    },
    open() {
      takesSignIns = true;
      if (server) return;
      server = createServer((request, response) => {
        const respond = guard(
          () => response.destroy(),
          () => page.respond(request, response),
        );
        respond();
      });
      server.maxConnections = MAX_CONNECTIONS;
      server.on('upgrade', (request, socket, head) => {
        const respond = guard(
          () => socket.destroy(),
          () => live.upgrade(request, socket, head),
        );
        respond();
      });
      server.on('error', stopWhenEmpty);
      server.listen(0, '127.0.0.1');
    },
    shut() {
      takesSignIns = false;
      stopWhenEmpty();
    },
    end() {
      takesSignIns = false;
      const closing = server;
      live.end();
      signIns.endAll();
      stopWhenEmpty();
      closing?.closeAllConnections();
    },
  };
}
