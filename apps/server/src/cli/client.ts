import { accounts } from '@highline/contract';
import { CommandFault, UsageFault, type Parsed } from './command.ts';

export const PASSWORD_VARIABLE = 'HIGHLINE_PASSWORD';
/** The code of a second factor. */
export const OTP_VARIABLE = 'HIGHLINE_OTP';

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

/** @param otp code of the second factor, if it is on. @returns the bearer */
export async function signIn(server: string, email: string, password: string, otp: string | undefined): Promise<string> {
  const { path, method, response } = accounts.signIn;
  const body = { email, password, ...(otp === undefined || otp === '' ? {} : { otp }) };
  return (await call(server, path, method, undefined, body, response)).result.vap;
}

/** End the session, so that the bearer of a command line becomes invalid. @throws CommandFault like every call */
export async function signOut(server: string, bearer: string): Promise<void> {
  const { path, method, response } = accounts.signOut;
  await call(server, path, method, bearer, undefined, response);
}

/** One call with a JSON answer. @throws CommandFault with the server's own message */
export async function call<T>(
  server: string,
  path: string,
  method: string,
  bearer: string | undefined,
  body: FormData | Readonly<Record<string, string>> | undefined,
  schema: { parse(value: unknown): T },
): Promise<T> {
  const response = await send(server, path, method, bearer, body);
  return schema.parse(await response.json());
}

/** One call, whatever it answers. @throws CommandFault with the server's own message */
export async function send(
  server: string,
  path: string,
  method: string,
  bearer: string | undefined,
  body: FormData | Readonly<Record<string, string>> | undefined,
): Promise<Response> {
  const isForm = body instanceof FormData;
  let response: Response;
  try {
    response = await fetch(`${server}${path}`, {
      method,
      headers: {
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...(isForm ? {} : { 'content-type': 'application/json' }),
      },
      ...(method === 'GET' ? {} : { body: isForm ? body : JSON.stringify(body ?? {}) }),
    });
  } catch (error) {
    const { message, cause } = error as Error;
    throw new CommandFault(`${server} cannot be reached (${cause instanceof Error ? cause.message : message}).`, {
      cause: error,
    });
  }
  if (response.ok) return response;
  const answer: unknown = await response.json().catch(() => undefined);
  throw new CommandFault(messageOf(answer) ?? `${server} answered ${response.status}.`);
}

function messageOf(answer: unknown): string | undefined {
  const message = (answer as { error?: { message?: unknown } } | undefined)?.error?.message;
  return typeof message === 'string' ? message : undefined;
}
