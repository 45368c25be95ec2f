import { CallFailed, Client, ServerUnreachable } from '@highline/client';
import { CommandFault, UsageFault, type Parsed } from './command.ts';

export const PASSWORD_VARIABLE = 'HIGHLINE_PASSWORD';
/** The code of a second factor. */
export const OTP_VARIABLE = 'HIGHLINE_OTP';

/** A person or a script waits: a server that is gone is reported after a few seconds. */
const RETRIES = { most: 3 };

/** @throws UsageFault when none was given */
export function passwordOf({ values }: Parsed, environment: NodeJS.ProcessEnv): string {
  const password = values['password'] ?? environment[PASSWORD_VARIABLE];
  if (password === undefined || password === '') throw new UsageFault(`the password is missing: set ${PASSWORD_VARIABLE}`);
  return password;
}

/** Scheme, host and port of a server. @throws UsageFault */
export function originOf(text: string): string {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new UsageFault('--server: expected http:// or https:// and a host');
  return url.origin;
}

/** Calls of a server. @param key an API key, or the bearer of a session */
export function connect(server: string, key?: string): Client {
  return new Client({ server, key, retries: RETRIES });
}

/**
 * Work with the calls of a signed-in person, and end the session afterwards, so that the bearer of a command line becomes invalid.
 * @param otp code of the second factor, if it is on
 * @throws CommandFault with the server's own message
 */
export function withSession<T>(
  server: string,
  email: string,
  password: string,
  otp: string | undefined,
  work: (calls: Client) => Promise<T>,
): Promise<T> {
  return explained(async () => {
    const body = { email, password, ...(otp === undefined || otp === '' ? {} : { otp }) };
    const { result } = await connect(server).call('accounts.signIn', { body });
    const calls = connect(server, result.vap);
    try {
      return await work(calls);
    } finally {
      await calls.call('accounts.signOut');
    }
  });
}

/** @throws CommandFault instead of the failures of calls */
export async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CallFailed || error instanceof ServerUnreachable)
      throw new CommandFault(error.message, { cause: error });
    throw error;
  }
}
