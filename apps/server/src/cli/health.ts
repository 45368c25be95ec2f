import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { StartupError } from '../platform/settings/settings-file.ts';
import { readCommandSettings, type Settings } from '../platform/settings/settings.ts';
import { CommandFault, readArguments, type Command } from './command.ts';

const TIMEOUT_MS = 4_000;
/** At these a server listens for every address. */
const LOOPBACK_OF: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Whether the process of these settings runs, for the check of a container. */
export const health: Command = {
  name: 'health',
  usage: '',
  summary: 'Check that the server of these settings runs on this machine (/livez), at its own address and with its own TLS.',
  async run(argv, environment, say) {
    readArguments(argv, {}, 0);
    try {
      await requestLivez(readCommandSettings(environment, []).http);
    } catch (error) {
      if (error instanceof StartupError) throw new CommandFault(error.message, { cause: error });
      throw error;
    }
    say('The server runs.');
  },
};

/** The certificate is not verified: it is for the name that people use, and no one listens here but the server. */
function requestLivez({ host, port, tls }: Settings['http']): Promise<void> {
  const address = LOOPBACK_OF[host] ?? host;
  const options = { host: address, port, path: '/livez', timeout: TIMEOUT_MS, rejectUnauthorized: false };
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new CommandFault(`The server at ${address}, port ${port}, ${reason}.`));
    const request = (tls === undefined ? requestHttp : requestHttps)(options, (response) => {
      response.resume();
      if (response.statusCode === 200) resolve();
      else fail(`answers ${response.statusCode}`);
    });
    request.on('timeout', () => request.destroy(new Error(`no answer within ${TIMEOUT_MS / 1_000} s`)));
    request.on('error', (error) => fail(`does not answer: ${error.message}`));
    request.end();
  });
}
