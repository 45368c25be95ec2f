import { Agent, get } from 'node:http';

/** A user's calls over kept-alive connections, as in a browser. */
export interface HttpClient {
  /** @throws Error for any status but 200 */
  get<T>(path: string, query: Readonly<Record<string, string>>): Promise<T>;
  close(): void;
}

export function createHttpClient(url: string, bearer: string): HttpClient {
  const agent = new Agent({ keepAlive: true });
  const headers = { authorization: `Bearer ${bearer}`, 'accept-encoding': 'identity' };
  return {
    get: async <T>(path: string, query: Readonly<Record<string, string>>) =>
      JSON.parse(await read(`${url}${path}?${new URLSearchParams(query)}`, agent, headers)) as T,
    close: () => agent.destroy(),
  };
}

function read(url: string, agent: Agent, headers: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`${response.statusCode} for ${url}: ${text.slice(0, 300)}`));
      });
      response.on('error', reject);
    }).on('error', reject);
  });
}
