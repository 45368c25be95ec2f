import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';
import type { AuthContext, Connection, Session } from 'ssh2';
import { guard } from './guard.ts';
import type { LocalService, Visits } from './local-service.ts';
import { sshLibrary } from './ssh-library.ts';
import type { Shell } from './shell/shell.ts';
import { serveSession } from './shell/ssh-session.ts';

/** Wrong passwords per connection; then it is closed. */
const TRIES = 3;
/** Time limit for signing in. */
const SIGN_IN_MS = 60_000;
const MAX_CONNECTIONS = 16;

/**
 * The router's SSH server: on loopback, and only while sign-ins are possible. Shells only: no forwarding, no files.
 * @param hostKey private, in OpenSSH's format
 */
export function createSshService(hostKey: string, shell: Shell, visits: Visits): LocalService {
  const sockets = new Set<Socket>();
  // A packet of compressed data grows a thousandfold, before its sender has signed in.
  const algorithms = { compress: ['none' as const] };
  const ssh = new (sshLibrary().Server)({ hostKeys: [hostKey], ident: 'Highline', algorithms }, (connection) =>
    serve(connection, shell, visits),
  );
  let server: Server | undefined;

  const take = (socket: Socket) => {
    const inject = guard(
      () => socket.destroy(),
      () => {
        socket.setNoDelay(true);
        socket.setTimeout(visits.idleMs(), () => socket.destroy());
        ssh.injectSocket(socket);
      },
    );
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    inject();
  };
  const shut = () => {
    server?.close();
    server = undefined;
  };
  return {
    get port() {
      return (server?.address() as AddressInfo | null | undefined)?.port;
    },
    open() {
      if (server) return;
      server = createServer(take);
      server.maxConnections = MAX_CONNECTIONS;
      server.on('error', shut);
      server.listen(0, '127.0.0.1');
    },
    shut,
    end() {
      shut();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function serve(connection: Connection, shell: Shell, visits: Visits): void {
  const cancelTimeout = visits.scheduler.after(SIGN_IN_MS, () => connection.end());
  let tries = 0;
  let isIn = false;

  const tryPassword = (attempt: AuthContext, password: string) => {
    isIn = visits.enter(attempt.username, password);
    if (isIn) {
      cancelTimeout();
      attempt.accept();
      return;
    }
    tries += 1;
    if (tries < TRIES) attempt.reject(['password']);
    else connection.end();
  };
  const end = () => void connection.end();
  const authenticate = (attempt: AuthContext) => {
    if (attempt.method === 'password') tryPassword(attempt, attempt.password);
    else attempt.reject(['password']);
  };
  const leave = () => {
    cancelTimeout();
    if (isIn) visits.leave();
  };
  connection.on('authentication', guard(end, authenticate));
  connection.on(
    'session',
    guard(end, (open: () => Session) => serveSession(open(), shell, connection)),
  );
  connection.on('error', end);
  connection.on('close', guard(end, leave));
}
