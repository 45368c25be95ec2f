import { once } from 'node:events';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { ReadingSink, SinkMessage } from '../../ports/reading-sink.ts';
import type { SinkSettings } from '../../settings/sink-settings.ts';

/** So much of a response is quoted. */
const QUOTED = 200;

/**
 * Posts lines of JSON to one address. Any response of the class 2xx confirms them; redirects are not followed, so that readings go nowhere but
 * to the configured address.
 */
export function createHttpSink({ url, ca }: Extract<SinkSettings, { kind: 'http' }>): ReadingSink {
  const isSecure = url.protocol === 'https:';
  const options = { keepAlive: true, maxSockets: 1 };
  const agent = isSecure ? new HttpsAgent({ ...options, ...(ca === undefined ? {} : { ca }) }) : new HttpAgent(options);
  const target = new URL(url);
  const identity = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  [target.username, target.password] = ['', ''];
  const headers = {
    'content-type': 'application/x-ndjson',
    ...(identity === ':' ? {} : { authorization: `Basic ${Buffer.from(identity).toString('base64')}` }),
  };
  return {
    async send(messages, signal) {
      const body = Buffer.from(messages.map(({ lines }: SinkMessage) => lines).join(''));
      const request = (isSecure ? httpsRequest : httpRequest)(target, {
        method: 'POST',
        agent,
        signal,
        headers: { ...headers, 'content-length': body.length },
      });
      const responded = once(request, 'response') as Promise<[IncomingMessage]>;
      request.end(body);
      const [response] = await responded;
      const text = await readStart(response);
      const status = response.statusCode ?? 0;
      if (status < 200 || status > 299) throw new Error(`The sink answered ${status}: ${text}`);
    },
    close: async () => agent.destroy(),
  };
}

/** The start of a response; the rest is dropped as it arrives. */
async function readStart(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response) if (text.length < QUOTED) text += String(chunk);
  return text.slice(0, QUOTED);
}
