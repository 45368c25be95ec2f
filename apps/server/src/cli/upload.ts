import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { accounts, firmware } from '@highline/contract';
import { CommandFault, readArguments, UsageFault, type Command, type Parsed } from './command.ts';
import { openImage, type ImageFile } from './image-file.ts';

const PASSWORD_VARIABLE = 'HIGHLINE_PASSWORD';

/** Send an image to the catalogue of a running server. */
export const upload: Command = {
  name: 'upload',
  usage: `--server <url> --email <address> [--notes <text>] [--unsigned --model <model> --version <version>] <file>`,
  summary: `Send an image to the catalogue. Signs in as the main account; the password comes from ${PASSWORD_VARIABLE} or --password.`,
  async run(argv, environment, say) {
    const optional = ['password', 'notes', 'model', 'version'];
    const parsed = readArguments(argv, { required: ['server', 'email'], optional, switches: ['unsigned'] }, 1);
    const password = parsed.values['password'] ?? environment[PASSWORD_VARIABLE];
    if (password === undefined || password === '') throw new UsageFault(`the password is missing: set ${PASSWORD_VARIABLE}`);
    const server = originOf(parsed.values['server']!);
    const image = await openImage(parsed.files[0]!);
    const fields = fieldsOf(parsed, image);
    const bearer = await signIn(server, parsed.values['email']!, password);
    try {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      // Read from disk as it is sent; never as a whole in memory.
      form.append('file', await openAsBlob(image.path), basename(image.path));
      const { path, method } = firmware.uploadFirmware;
      const { result } = await call(server, path, method, bearer, form, firmware.uploadFirmware.response);
      say(`Uploaded version ${result.version} for ${result.profile}, ${result.size} bytes, SHA-256 ${result.sha256}.`);
    } finally {
      await call(server, accounts.signOut.path, accounts.signOut.method, bearer, undefined, accounts.signOut.response);
    }
  },
};

function originOf(text: string): string {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new UsageFault('--server: expected http:// or https:// and a host');
  return url.origin;
}

/** Model and version stand in the trailer; an image without one needs both told. */
function fieldsOf({ values, switches }: Parsed, { path, trailer }: ImageFile): Record<string, string> {
  if (trailer === 'damaged') throw new CommandFault(`${path} is incomplete.`);
  const unsigned = switches.has('unsigned');
  if (trailer === 'absent' && !unsigned) throw new CommandFault(`${path} carries no signature. Sign it, or say --unsigned.`);
  const told = trailer === 'absent' ? undefined : trailer.manifest;
  const profile = values['model'] ?? told?.model;
  const version = values['version'] ?? told?.version;
  if (profile === undefined || version === undefined)
    throw new UsageFault('--model and --version are needed for an image without a trailer');
  return { profile, version, note: values['notes'] ?? '', unsigned: String(unsigned) };
}

async function signIn(server: string, email: string, password: string): Promise<string> {
  const { path, method, response } = accounts.signIn;
  return (await call(server, path, method, undefined, { email, password }, response)).result.vap;
}

/** @throws CommandFault with the server's own words */
async function call<T>(
  server: string,
  path: string,
  method: string,
  bearer: string | undefined,
  body: FormData | Readonly<Record<string, string>> | undefined,
  schema: { parse(value: unknown): T },
): Promise<T> {
  const isForm = body instanceof FormData;
  let response: Response;
  try {
    response = await fetch(`${server}${path}`, {
      method,
      headers: {
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...(isForm ? {} : { 'content-type': 'application/json' }),
      },
      body: isForm ? body : JSON.stringify(body ?? {}),
    });
  } catch (error) {
    const { message, cause } = error as Error;
    throw new CommandFault(`${server} cannot be reached (${cause instanceof Error ? cause.message : message}).`, {
      cause: error,
    });
  }
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw new CommandFault(messageOf(answer) ?? `${server} answered ${response.status}.`);
  return schema.parse(answer);
}

function messageOf(answer: unknown): string | undefined {
  const message = (answer as { error?: { message?: unknown } } | undefined)?.error?.message;
  return typeof message === 'string' ? message : undefined;
}
