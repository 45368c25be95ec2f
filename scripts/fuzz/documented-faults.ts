import type { Json, Operation } from './description.ts';

export interface Sent {
  readonly query?: Readonly<Record<string, unknown>>;
  /** Undefined: none at all. */
  readonly body?: Json | undefined;
  readonly isAgain?: boolean;
}

export interface Attempt {
  readonly status: number;
  readonly text: string;
}

/** What an example names is not there: as good as a 404. */
const ABSENT = /not found|no longer exists|no router has reported|None of the rows could be added/u;

const isRejected = ({ status, text }: Attempt) => [400, 413, 414, 415, 431].includes(status) && !ABSENT.test(text);

/** Which tenant a call is about: examples name none that exists. */
const isTenant = (name: string) => name === 'org' || name === 'realm';

export async function faultsOfOperation(operation: Operation, attempt: (sent: Sent) => Promise<Attempt>): Promise<string[]> {
  const { body, parameters } = operation;
  const media = Object.values(body?.content ?? {})[0];
  const example = media?.example as Json | undefined;
  const isMultipart = body?.content['multipart/form-data'] !== undefined;
  // The bytes of an image or of a picture cannot be printed as an example.
  const isOfBytes = isMultipart && typeof example?.['file'] === 'string' && example['file'].startsWith('(');
  const query = parameters.filter((each) => each.in === 'query' && !isTenant(each.name));
  const required = Object.fromEntries(query.filter((each) => each.required).map(({ name, example: value }) => [name, value]));
  const faults: string[] = [];
  const say = (fault: string, { text }: Partial<Attempt> = {}) =>
    faults.push(`${fault}${text === undefined ? '' : `: ${/"message":"([^"]*)"/u.exec(text)?.[1] ?? text.slice(0, 200)}`}`);

  const plain = await attempt({ query: required, body: example });
  if (!isOfBytes && isRejected(plain)) say('its example is rejected', plain);
  // Opaque texts of a response have no example. All of the others at once, and one by one where that is rejected.
  const optional = query
    .filter((each) => each.name !== 'cursor' && !each.required)
    .map(({ name, example: value }) => [name, value] as const);
  const together = { ...required, ...Object.fromEntries(optional) };
  if (optional.length > 0 && !isRejected(plain) && isRejected(await attempt({ query: together, body: example })))
    for (const [name, value] of optional) {
      const response = await attempt({ query: { ...required, [name]: value }, body: example });
      if (isRejected(response)) say(`the example of its parameter ${name} is rejected`, response);
    }
  for (const name of Object.keys(required))
    if (!isRejected(await attempt({ query: { ...required, [name]: undefined }, body: example })))
      say(`its parameter ${name} is not required`);
  const longest = Object.fromEntries(query.map(({ name, schema }) => [name, '0'.repeat(Number(schema['maxLength'] ?? 40))]));
  if (query.some(({ schema }) => 'maxLength' in schema) && (await attempt({ query: longest, body: example })).status === 431)
    say('its parameters have limits that cannot be reached together');
  if (body === undefined) return faults;

  const withoutBody = await attempt({ query: required });
  if (body.required && !isRejected(withoutBody)) say('its body is not required');
  if (!body.required && isRejected(withoutBody)) say('its body is required, and not said to be', withoutBody);
  for (const name of (media!.schema['required'] ?? []) as string[])
    if (!isRejected(await attempt({ query: required, body: { ...example, [name]: undefined } })))
      say(`its field ${name} is not required`);
  return faults;
}

/** What is accepted reads back as it was sent: in the response, and in the list at the same address; numbers with all their decimals. */
export async function faultsOfReading(
  { method, body, parameters }: Operation,
  attempt: (sent: Sent) => Promise<Attempt>,
  list: ((sent: Sent) => Promise<Attempt>) | undefined,
): Promise<string[]> {
  const media = body?.content['application/json'];
  if (media === undefined || method === 'DELETE' || parameters.some((each) => each.in === 'query' && each.required)) return [];
  const fields = (media.schema['properties'] ?? {}) as Record<string, Json>;
  const finest = Object.entries(fields).filter(([, { type, enum: values }]) => type === 'number' && values === undefined);
  const example = media.example as Json;
  const named = 'name' in example ? { name: 'Reads back' } : {};
  const sent = { ...example, ...named, ...Object.fromEntries(finest.map(([name]) => [name, 0.123456789])) };
  const response = await attempt({ body: sent });
  if (response.status !== 200) return [];
  const { result } = JSON.parse(response.text) as { result?: Json };
  const id = result?.['id'] ?? result?.['pk'];
  const rows = id === undefined || list === undefined ? [] : rowsOf(await list({}));
  const read = [result, ...rows.filter((row) => (row['id'] ?? row['pk']) === id)];
  return read.flatMap((row) =>
    Object.entries(sent)
      .filter(
        ([name, value]) =>
          !isTenant(name) && ['string', 'number', 'boolean'].includes(typeof value) && typeof row?.[name] === typeof value,
      )
      .filter(([name, value]) => comparable(fields[name], row![name]) !== comparable(fields[name], value))
      .map(
        ([name, value]) =>
          `its field ${name} was accepted as ${JSON.stringify(value)} and reads back as ${JSON.stringify(row![name])}`,
      ),
  );
}

/** A moment may be written with other zeros. */
const comparable = (field: Json | undefined, value: unknown): unknown =>
  field?.['format'] === 'date-time' ? Date.parse(String(value)) : value;

function rowsOf({ status, text }: Attempt): readonly Json[] {
  if (status !== 200) return [];
  const { result } = JSON.parse(text) as { result?: unknown };
  return Array.isArray(result) ? (result as Json[]) : [];
}
