import type { Call } from './description.ts';

/** Ways to make a call. */
export const snippetKinds = ['curl', 'client', 'cli'] as const;
export type SnippetKind = (typeof snippetKinds)[number];

/** Fields that an example shows: what a path needs, what is required, and the size of a page. */
function shownQuery({ parameters }: Call): readonly (readonly [string, unknown])[] {
  return parameters
    .filter((each) => each.in === 'query' && (each.required || each.name === 'limit'))
    .map(({ name, example }) => [name, example] as const);
}

const pathOf = ({ parameters }: Call) =>
  parameters.filter((each) => each.in === 'path').map(({ name, example }) => [name, example] as const);

/** Text for a shell, in single quotes. */
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const wordOf = (value: unknown) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[\w@%+=:,./-]+$/u.test(text) ? text : quoted(text);
};

/** A call in one of the ways, with its example. @param origin of the server */
export function snippetOf(kind: SnippetKind, call: Call, origin: string): string {
  if (kind === 'curl') return curlOf(call, origin);
  return kind === 'client' ? clientOf(call, origin) : commandOf(call, origin);
}

function curlOf(call: Call, origin: string): string {
  const query = new URLSearchParams(shownQuery(call).map(([name, value]) => [name, String(value)])).toString();
  const filled = pathOf(call).reduce(
    (path, [name, value]) => path.replace(`{${name}}`, encodeURIComponent(String(value))),
    call.path,
  );
  const address = quoted(`${origin}${filled}${query === '' ? '' : `?${query}`}`);
  return [
    `curl${call.method === 'GET' ? '' : ` -X ${call.method}`} ${address}`,
    ...(call.isPublic ? [] : [`-H "Authorization: Bearer $HIGHLINE_API_KEY"`]),
    ...(call.once ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...bodyOf(call),
  ].join(' \\\n  ');
}

function bodyOf({ body }: Call): string[] {
  if (body === undefined) return [];
  const { type, example } = body;
  if (type === 'application/json')
    return ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(example ?? {}, null, 2))}`];
  const fields = Object.entries((example ?? {}) as Record<string, unknown>);
  if (type !== 'multipart/form-data')
    return fields.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${String(value)}`)}`);
  return fields.map(([name, value]) => (name === 'file' ? "-F 'file=@file'" : `-F ${quoted(`${name}=${String(value)}`)}`));
}

/** The parts of a call for the typed client. */
function inputOf(call: Call): Record<string, unknown> {
  const { file: _, ...body } = (call.body?.example ?? {}) as Record<string, unknown>;
  return {
    ...(pathOf(call).length === 0 ? {} : { params: Object.fromEntries(pathOf(call)) }),
    ...(shownQuery(call).length === 0 ? {} : { query: Object.fromEntries(shownQuery(call)) }),
    ...(Object.keys(body).length === 0 ? {} : { body }),
  };
}

function clientOf(call: Call, origin: string): string {
  const isUpload = call.body?.type === 'multipart/form-data';
  const plain = JSON.stringify(inputOf(call), null, 2).replaceAll(/"([A-Za-z_]\w*)":/gu, '$1:');
  const input = isUpload ? plain.replace(/\n?\}$/u, `${plain === '{}' ? '' : ','}\n  file: await openAsBlob('file'),\n}`) : plain;
  const given = input === '{}' ? `'${call.id}'` : `'${call.id}', ${input}`;
  const isList = call.parameters.some(({ name }) => name === 'cursor');
  const use = (() => {
    if (call.response.type === 'text/event-stream')
      return `for await (const change of highline.events(${given})) console.log(change);`;
    if (call.response.type !== 'application/json') return `const { name, body } = await highline.download(${given});`;
    if (isList) return `for await (const row of highline.each(${given})) console.log(row);`;
    return `const { result } = await highline.call(${given});`;
  })();
  return [
    "import { Client } from '@highline/client';",
    ...(isUpload ? ["import { openAsBlob } from 'node:fs';"] : []),
    '',
    `const highline = new Client({ server: '${origin}', key: process.env.HIGHLINE_API_KEY });`,
    use,
  ].join('\n');
}

function commandOf(call: Call, origin: string): string {
  const options = [...pathOf(call), ...shownQuery(call)].map(([name, value]) => `--${name} ${wordOf(value)}`);
  const { file, ...body } = (call.body?.example ?? {}) as Record<string, unknown>;
  if (Object.keys(body).length > 0) options.push(`--body ${quoted(JSON.stringify(body, null, 2))}`);
  if (file !== undefined) options.push('--file file');
  if (!['application/json', 'text/event-stream'].includes(call.response.type)) options.push('--out file');
  return [`HIGHLINE_URL=${origin} highline api ${call.id.replace('.', ' ')}`, ...options].join(' \\\n  ');
}
