import { StartupError } from './settings-file.ts';

/** The settings that name an address to listen at. */
interface AddressSettings {
  readonly host: string;
  readonly port: string;
}

/** Errors of listening, and how an administrator fixes them. */
const faults: Readonly<Record<string, (of: AddressSettings) => string>> = {
  EADDRINUSE: ({ port }) => `${port}: another program already listens there. Stop it, or set ${port} to another port`,
  EACCES: ({ port }) => `${port}: this user may not listen there. Set it to a port above 1023`,
  EADDRNOTAVAIL: ({ host }) =>
    `${host}: this machine does not have that address. Set it to one of its addresses, such as 0.0.0.0`,
  ENOTFOUND: ({ host }) => `${host}: unknown name. Set it to an address of this machine, such as 0.0.0.0`,
};

/** @returns a StartupError naming the setting where the address is in use, not permitted or not of this machine; else the error itself */
export function explainListenFault(
  error: unknown,
  { host, port }: { readonly host: string; readonly port: number },
  settings: AddressSettings,
): unknown {
  const explain = faults[(error as NodeJS.ErrnoException).code ?? ''];
  return explain === undefined ? error : new StartupError(`${explain(settings)} (${host}, port ${port}).`, { cause: error });
}
