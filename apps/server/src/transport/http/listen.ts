import type { FastifyInstance } from 'fastify';
import { explainListenFault } from '../../platform/settings/listen-fault.ts';
import { type Settings } from '../../platform/settings/settings.ts';

/** Start listening. @throws StartupError naming the setting when the port is in use or not permitted */
export async function listenAt(app: FastifyInstance, { host, port }: Pick<Settings['http'], 'host' | 'port'>): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw explainListenFault(error, { host, port }, { host: 'HOST', port: 'PORT' });
  }
}
