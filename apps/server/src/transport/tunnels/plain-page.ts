import type { IncomingMessage, ServerResponse } from 'node:http';

/** Messages for when a router's page cannot be shown. */
const pages = {
  ended: {
    status: 410,
    title: ['This connection has ended', '此連線已結束'],
    text: [
      'Web pages of routers are opened for one session at a time. To open this one again, connect to the device in the console.',
      '路由器的網頁每次只為一個工作階段開啟。如需再次開啟，請在主控台中重新連線至該裝置。',
    ],
  },
  expired: {
    status: 403,
    title: ['The credentials have expired', '登入資料已過期'],
    text: [
      'Only browsers that opened this page in time can use it. End the connection in the console and open a new one.',
      '只有在時限內開啟過此頁面的瀏覽器才能繼續使用。請在主控台中結束此連線，再建立新的連線。',
    ],
  },
  rejected: {
    status: 403,
    title: ['This request came from another site', '此要求來自其他網站'],
    text: ['It was rejected, and nothing was changed on the router.', '要求已遭拒絕，路由器上沒有任何變更。'],
  },
  full: {
    status: 503,
    title: ['Too many requests', '要求過多'],
    text: [
      'Too many requests to this router are in progress. Please reload the page.',
      '傳送至此路由器的要求過多，請重新載入頁面。',
    ],
  },
  gone: {
    status: 502,
    title: ['The router cannot be reached', '無法連線到路由器'],
    text: ['It may have lost its connection. Please try again in a moment.', '路由器可能已中斷連線，請稍後再試。'],
  },
  taken: {
    status: 403,
    title: ['This page is open in another browser', '此頁面已在其他瀏覽器中開啟'],
    text: [
      'It belongs to the first browser that opened it, until the connection ends.',
      '在連線結束之前，僅供第一個開啟的瀏覽器使用。',
    ],
  },
  clientGone: {
    status: 502,
    title: ['The device cannot be reached', '無法連線到該用戶端'],
    text: [
      'The router is connected, but the device does not accept connections. It may be switched off.',
      '路由器已連線，但該用戶端不接受連線，可能已關機。',
    ],
  },
  clientSilent: {
    status: 504,
    title: ['The device does not answer', '該用戶端沒有回應'],
    text: [
      'It accepted the connection, but did not answer in time. Please try again.',
      '該用戶端已接受連線，但未在時限內回應，請再試一次。',
    ],
  },
  wantsHttps: {
    status: 502,
    title: ['This device wants HTTPS', '此用戶端要求使用 HTTPS'],
    text: ['Open it again in the console, as HTTPS.', '請在主控台中改以 HTTPS 重新開啟。'],
  },
  wantsHttp: {
    status: 502,
    title: ['This device wants HTTP', '此用戶端要求使用 HTTP'],
    text: ['Open it again in the console, as HTTP.', '請在主控台中改以 HTTP 重新開啟。'],
  },
  silent: {
    status: 504,
    title: ['The router does not answer', '路由器沒有回應'],
    text: [
      'It is connected, but its web page did not answer in time. Please try again.',
      '路由器已連線，但其網頁未在時限內回應，請再試一次。',
    ],
  },
} as const satisfies Record<string, { status: number; title: readonly [string, string]; text: readonly [string, string] }>;

export type PlainPage = keyof typeof pages;

/** Answer with a short message instead of a router's page, in the language that the browser requests. */
export function sendPlainPage(request: IncomingMessage, response: ServerResponse, name: PlainPage): void {
  const { status, title, text } = pages[name];
  const language = /^\s*zh/iu.test(request.headers['accept-language'] ?? '') ? 1 : 0;
  const body = pageOf(['en', 'zh-Hant'][language]!, title[language], text[language]);
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    connection: 'close',
    vary: 'accept-language',
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

function pageOf(language: string, title: string, text: string): string {
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${title}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;margin:0;min-height:100vh;display:grid;place-items:center}
main{max-width:30rem;padding:2rem}h1{font-size:1.25rem;margin:0 0 .5rem}p{margin:0;opacity:.8}</style></head>
<body><main><h1>${title}</h1><p>${text}</p></main></body></html>
`;
}
