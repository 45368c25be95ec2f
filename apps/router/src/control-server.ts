import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ControlResponse, control } from './control.ts';
import type { RouterHandle } from './router.ts';

const COMMANDS = [
  'power-cut',
  'lost-coverage',
  'lost-network',
  'slow-link',
  'bad-flash',
  'battery',
  'thermal',
  'change-password',
  'factory-reset',
  'reboot',
];

/**
 * Serve the control commands on loopback: `GET /status?serial=…`, `POST /power-cut?ms=5000&serial=…`, `POST /battery?value=12`
 * and so on; JSON responses. Browser pages can reach loopback too: reject requests with an origin, or for another host than
 * loopback.
 * @param port 0 uses a free one
 * @returns the server and its port
 * @throws Error when the port is in use
 */
export async function serveControl(
  routers: ReadonlyMap<string, RouterHandle>,
  port: number,
): Promise<{ server: Server; port: number }> {
  const server = createServer((request, response) => send(response, responseTo(routers, request)));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return { server, port: (server.address() as AddressInfo).port };
}

type HttpResponse = { status: number; body: ControlResponse };

function responseTo(routers: ReadonlyMap<string, RouterHandle>, request: IncomingMessage): HttpResponse {
  if (!isLocal(request)) return failure(403, 'only for programs on this machine');
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const command = path.slice(1);
  const isStatus = command === 'status' && request.method === 'GET';
  if (!isStatus && !(COMMANDS.includes(command) && request.method === 'POST')) {
    return failure(404, `GET /status, or POST /${COMMANDS.join(', /')}`);
  }
  const params = new URLSearchParams(query);
  const param = (name: string) => params.get(name) ?? undefined;
  const body = control(routers, {
    command,
    ms: param('ms'),
    value: param('value'),
    state: param('state'),
    serial: param('serial'),
  });
  return { status: body.ok ? 200 : 400, body };
}

function isLocal({ headers }: IncomingMessage): boolean {
  return headers.origin === undefined && /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(headers.host ?? '');
}

function failure(status: number, error: string): HttpResponse {
  return { status, body: { ok: false, error } };
}

function send(response: ServerResponse, { status, body }: HttpResponse): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`);
}
