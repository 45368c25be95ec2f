import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { duplexPair, type Duplex } from 'node:stream';
import { hashToUnit } from './random.ts';

export type OnboardName = 'ticket-printer' | 'camera-recorder';

/** Where pages of such devices are. */
const PORT = 80;

/**
 * The devices that are built into a simulated vehicle: small web servers of this process, without a port of the machine.
 * @param names by address
 * @returns a connection to one of them; throws Error for an address or a port at which none accepts
 */
export function createOnboardDevices(
  seed: number,
  now: () => number,
  names: ReadonlyMap<string, OnboardName>,
): (address: string, port: number) => Duplex {
  const servers = new Map<OnboardName, Server>();
  const serverOf = (name: OnboardName): Server => {
    const server =
      servers.get(name) ?? createServer((request, response) => respond[name](request, response, { seed, now: now() }));
    servers.set(name, server);
    return server;
  };
  return (address, port) => {
    const name = names.get(address);
    if (name === undefined || port !== PORT) throw new Error('connection rejected');
    const [near, far] = duplexPair();
    serverOf(name).emit('connection', far);
    return near;
  };
}

interface Moment {
  readonly seed: number;
  readonly now: number;
}

type Respond = (request: IncomingMessage, response: ServerResponse, moment: Moment) => void;

const respond: Readonly<Record<OnboardName, Respond>> = {
  'camera-recorder'(request, response, { seed, now }) {
    if (request.url === '/picture.svg') return send(response, picture(seed, now), 'image/svg+xml');
    if (request.url !== '/') return send(response, page('Not found', ''), HTML, 404);
    const hours = 200 + Math.floor(600 * hashToUnit(seed, 200));
    return send(
      response,
      page(
        'Camera recorder',
        `<img src="/picture.svg" alt="Camera 1" width="480" height="270">
<dl><dt>Cameras</dt><dd>1 of 1</dd><dt>Recording</dt><dd>on</dd><dt>Hours stored</dt><dd>${hours}</dd></dl>`,
      ),
    );
  },
  'ticket-printer'(request, response, { seed }) {
    const prints = countOf(request.headers.cookie);
    if (request.method === 'POST' && request.url === '/print') {
      request.resume();
      response.writeHead(303, { location: '/', 'set-cookie': `prints=${prints + 1}; Path=/; HttpOnly` });
      response.end();
      return;
    }
    if (request.url !== '/') return send(response, page('Not found', ''), HTML, 404);
    const paper = 20 + Math.floor(80 * hashToUnit(seed, 201));
    return send(
      response,
      page(
        'Ticket printer',
        `<dl><dt>State</dt><dd>ready</dd><dt>Paper</dt><dd>${paper} %</dd><dt>Test tickets</dt><dd>${prints}</dd></dl>
<form method="post" action="/print"><button>Print a test ticket</button></form>`,
      ),
    );
  },
};

function countOf(cookie = ''): number {
  const [, count = '0'] = /(?:^|;\s*)prints=(\d{1,4})/u.exec(cookie) ?? [];
  return Number(count);
}

const HTML = 'text/html; charset=utf-8';

function send(response: ServerResponse, body: string, type = HTML, status = 200): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body), 'cache-control': 'no-store' });
  response.end(body);
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${title}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:2rem auto;padding:0 1rem}img{max-width:100%;height:auto}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem}dd{margin:0}</style></head>
<body><h1>${title}</h1>${content}</body></html>
`;
}

/** A road through the windscreen, with the time that cameras write into their pictures. */
function picture(seed: number, now: number): string {
  const shift = Math.round(40 * hashToUnit(seed + Math.floor(now / 1_000), 202) - 20);
  const time = new Date(now).toISOString().slice(0, 19).replace('T', ' ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 270" width="480" height="270">
<rect width="480" height="150" fill="#9fb8c8"/><rect y="150" width="480" height="120" fill="#59664f"/>
<path d="M${220 + shift} 150h40l140 120H${80 + shift}z" fill="#44484c"/>
<path d="M${238 + shift} 150h4l10 120h-24z" fill="#d8d8d0"/>
<text x="12" y="24" font-family="monospace" font-size="14" fill="#fff">CAM 1  ${time} UTC</text></svg>
`;
}
