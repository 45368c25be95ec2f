import type { FastifyInstance } from 'fastify';
import { StartRefused, type Settings } from './settings.ts';

/** What may be wrong with the place to listen at, and what whoever starts Highline can do about it. */
const faults: Readonly<Record<string, string>> = {
  EADDRINUSE: 'PORT: another program listens there already. Stop it, or set PORT to another one',
  EACCES: 'PORT: this user may not listen there. Set it to one above 1023, with a proxy in front',
  EADDRNOTAVAIL: 'HOST: this machine does not have that address. Set it to one of its own, such as 0.0.0.0',
  ENOTFOUND: 'HOST: nobody knows that name. Set it to an address of this machine, such as 0.0.0.0',
};

/** Begin to listen. @throws StartRefused naming the setting, where somebody else listens there or nobody may */
export async function listenAt(app: FastifyInstance, { host, port }: Pick<Settings['http'], 'host' | 'port'>): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const fault = faults[(error as NodeJS.ErrnoException).code ?? ''];
    throw fault === undefined ? error : new StartRefused(`${fault} (${host}, port ${port}).`, { cause: error });
  }
}
