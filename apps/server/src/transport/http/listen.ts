import type { FastifyInstance } from 'fastify';
import { StartupError } from '../../platform/settings/settings-file.ts';
import { type Settings } from '../../platform/settings/settings.ts';

/** Errors of listening, and how an administrator fixes them. */
const faults: Readonly<Record<string, string>> = {
  EADDRINUSE: 'PORT: another program already listens there. Stop it, or set PORT to another port',
  EACCES: 'PORT: this user may not listen there. Set it to a port above 1023, with a proxy in front',
  EADDRNOTAVAIL: 'HOST: this machine does not have that address. Set it to one of its addresses, such as 0.0.0.0',
  ENOTFOUND: 'HOST: unknown name. Set it to an address of this machine, such as 0.0.0.0',
};

/** Start listening. @throws StartupError naming the setting when the port is in use or not permitted */
export async function listenAt(app: FastifyInstance, { host, port }: Pick<Settings['http'], 'host' | 'port'>): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const fault = faults[(error as NodeJS.ErrnoException).code ?? ''];
    throw fault === undefined ? error : new StartupError(`${fault} (${host}, port ${port}).`, { cause: error });
  }
}
