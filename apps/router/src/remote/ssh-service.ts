import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';
import type { AuthContext, Connection } from 'ssh2';
import type { LocalService, Visits } from './local-service.ts';
import { sshLibrary } from './ssh-library.ts';
import type { Shell } from './shell/shell.ts';
import { serveSession } from './shell/ssh-session.ts';

/** Wrong passwords of one connection; then it is closed. */
const TRIES = 3;
/** For a stranger who connects and says nothing. */
const SIGN_IN_MS = 60_000;
const MAX_CONNECTIONS = 16;

/**
 * The router's SSH server: on loopback, and only while somebody is to be let in. Shells alone: no forwarding, no files.
 * @param hostKey private, in OpenSSH's format
 */
export function createSshService(hostKey: string, shell: Shell, visits: Visits): LocalService {
  const sockets = new Set<Socket>();
  const ssh = new (sshLibrary().Server)({ hostKeys: [hostKey], ident: 'Highline' }, (connection) =>
    serve(connection, shell, visits),
  );
  let server: Server | undefined;

  const take = (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.once('close', () => sockets.delete(socket));
    ssh.injectSocket(socket);
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
  const cancelPatience = visits.scheduler.after(SIGN_IN_MS, () => connection.end());
  let tries = 0;
  let isIn = false;

  const tryPassword = (attempt: AuthContext, password: string) => {
    isIn = visits.enter(attempt.username, password);
    if (isIn) {
      cancelPatience();
      attempt.accept();
      return;
    }
    tries += 1;
    if (tries < TRIES) attempt.reject(['password']);
    else connection.end();
  };
  connection.on('authentication', (attempt) => {
    if (attempt.method === 'password') tryPassword(attempt, attempt.password);
    else attempt.reject(['password']);
  });
  connection.on('session', (open) => serveSession(open(), shell));
  connection.on('error', () => connection.end());
  connection.on('close', () => {
    cancelPatience();
    if (isIn) visits.leave();
  });
}
