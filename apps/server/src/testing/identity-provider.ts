import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Agent, request } from 'undici';
import { createTestAuthority, writePems } from './certificates.ts';

/** A program that people sign in to. */
export interface ProviderClient {
  readonly id: string;
  readonly secret: string;
  readonly redirectUri: string;
  /** Where it wants logout tokens. */
  readonly logoutUri?: string;
}

/** The claims of a person. */
export type ProviderPerson = Readonly<Record<string, unknown>>;

/** A message to its process: what it shall have from now on. */
export interface ProviderOrder {
  readonly clients?: readonly ProviderClient[];
  readonly people?: Readonly<Record<string, ProviderPerson>>;
  readonly rotate?: true;
}

/** A real identity provider in a process of its own, over TLS. */
export interface IdentityProvider {
  readonly issuer: string;
  /** The authority of its certificate, PEM. */
  readonly ca: string;
  setClients(clients: readonly ProviderClient[]): Promise<void>;
  setPeople(people: Readonly<Record<string, ProviderPerson>>): Promise<void>;
  /** Sign with another key from now on, and publish only that. */
  rotateKeys(): Promise<void>;
  /** A browser with cookies of its own. */
  browse(): ProviderBrowser;
  close(): Promise<void>;
}

/** A browser at the provider. */
export interface ProviderBrowser {
  /**
   * Open an address of the provider, and sign in as a person wherever it asks for it.
   * @returns the address of another site that it leads to; for pages without a form, their text
   */
  signIn(url: string, sub: string): Promise<string>;
  /** Sign out at the provider, which tells its clients. */
  signOut(): Promise<void>;
}

const program = fileURLToPath(new URL('identity-provider-process.ts', import.meta.url));
const MOST_STEPS = 20;

/** Start a provider on a free port. */
export async function startIdentityProvider(): Promise<IdentityProvider> {
  const authority = await createTestAuthority('Identity');
  const files = writePems(await authority.issue({ isServer: true }));
  const child = fork(program, [files.cert, files.key], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const issuer = `https://localhost:${port}`;
  const agent = new Agent({ connect: { ca: authority.cert } });
  const send = async (order: ProviderOrder) => {
    const done = once(child, 'message');
    child.send(order);
    await done;
  };
  return {
    issuer,
    ca: authority.cert,
    setClients: (clients) => send({ clients }),
    setPeople: (people) => send({ people }),
    rotateKeys: () => send({ rotate: true }),
    browse: () => createBrowser(issuer, agent),
    async close() {
      await agent.destroy();
      if (child.exitCode !== null) return;
      const gone = once(child, 'exit');
      child.kill();
      await gone;
    },
  };
}

function createBrowser(issuer: string, agent: Agent): ProviderBrowser {
  const cookies = new Map<string, string>();

  const open = async (url: string, form?: URLSearchParams) => {
    const { statusCode, headers, body } = await request(url, {
      dispatcher: agent,
      method: form === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'text/html',
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      body: form?.toString() ?? null,
    });
    for (const line of [headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/u.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const text = await body.text();
    return { statusCode, location: headers.location as string | undefined, text };
  };

  /** Follow redirects and send forms until the provider leads elsewhere. */
  const follow = async (from: string, fields: Readonly<Record<string, string>>): Promise<string> => {
    let url = from;
    let form: URLSearchParams | undefined;
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const { location, text } = await open(url, form);
      form = undefined;
      if (location !== undefined) {
        url = new URL(location, url).href;
        if (!url.startsWith(issuer)) return url;
        continue;
      }
      const action = /<form[^>]* action="([^"]+)"/u.exec(text)?.[1];
      if (action === undefined) return text;
      const hidden = [...text.matchAll(/<input[^>]*type="hidden"[^>]*>/gu)].map(([input]) => [
        /name="([^"]*)"/u.exec(input)?.[1] ?? '',
        /value="([^"]*)"/u.exec(input)?.[1] ?? '',
      ]);
      form = new URLSearchParams({ ...(Object.fromEntries(hidden) as Record<string, string>), ...fields });
      url = new URL(action, url).href;
    }
    throw new Error(`The provider leads nowhere: ${url}`);
  };
  return {
    signIn: (url, sub) => follow(url, { login: sub, password: 'any' }),
    async signOut() {
      await follow(`${issuer}/session/end`, { logout: 'yes' });
    },
  };
}
