import { Agent, get, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';

/** A user's calls over kept-alive connections, as in a browser. */
export interface HttpClient {
  /** @throws Error for any status but 200 */
  get<T>(path: string, query: Readonly<Record<string, string>>): Promise<T>;
  /** Send a JSON body. @throws as `get` */
  post(path: string, body: unknown): Promise<void>;
  /** A file of bytes. @throws as `get` */
  bytes(path: string, query: Readonly<Record<string, string>>): Promise<Buffer>;
  /** A text file, read without keeping it. @returns how many lines it has, its second and its last one */
  lines(path: string, query: Readonly<Record<string, string>>): Promise<{ lines: number; first: string; last: string }>;
  close(): void;
}

export function createHttpClient(url: string, bearer: string): HttpClient {
  const agent = new Agent({ keepAlive: true });
  const headers = { authorization: `Bearer ${bearer}`, 'accept-encoding': 'identity' };
  return {
    get: async <T>(path: string, query: Readonly<Record<string, string>>) =>
      JSON.parse((await read(`${url}${path}?${new URLSearchParams(query)}`, agent, headers)).toString()) as T,
    async post(path, body) {
      const sent = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };
      const response = await fetch(`${url}${path}`, sent);
      if (response.status !== 200) throw new Error(`${response.status} for ${path}: ${(await response.text()).slice(0, 300)}`);
    },
    bytes: (path, query) => read(`${url}${path}?${new URLSearchParams(query)}`, agent, headers),
    lines: (path, query) => readLines(`${url}${path}?${new URLSearchParams(query)}`, agent, headers),
    close: () => agent.destroy(),
  };
}

async function readLines(url: string, agent: Agent, headers: Record<string, string>) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { agent, headers }, resolve).on('error', reject);
  });
  if (response.statusCode !== 200) throw new Error(`${response.statusCode} for ${url}`);
  let [lines, first, last] = [0, '', ''];
  for await (const line of createInterface({ input: response })) {
    lines += 1;
    if (lines === 2) first = line;
    last = line;
  }
  return { lines, first, last };
}

function read(url: string, agent: Agent, headers: Record<string, string>): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const content = Buffer.concat(chunks);
        if (response.statusCode === 200) resolve(content);
        else reject(new Error(`${response.statusCode} for ${url}: ${content.toString().slice(0, 300)}`));
      });
      response.on('error', reject);
    }).on('error', reject);
  });
}
