import { expect, test } from 'vitest';
import { z } from 'zod';
import { allOperations } from '../all-operations.ts';
import { everyRole, operation } from '../operation.ts';
import { breakingChanges } from './changes.ts';
import { describeApi } from './describe.ts';

const unit = z.object({
  id: z.string(),
  mode: z.enum(['slow', 'fast']),
  size: z.number().nullable(),
  parts: z.array(z.object({ name: z.string(), note: z.string().optional() })),
});
const base = {
  id: 'units.save',
  method: 'POST',
  path: '/units/{unit}',
  summary: 'Save a unit.',
  scope: 'tenant',
  roles: everyRole,
  params: z.object({ unit: z.string() }),
  query: z.object({ limit: z.coerce.number().int().min(1).max(200).optional() }),
  body: z.object({
    name: z.string().max(80),
    mode: z.enum(['slow', 'fast']).optional(),
    size: z.union([z.number(), z.object({ mb: z.number() })]).optional(),
    tags: z.array(z.string().max(32)).max(20).optional(),
  }),
  response: unit,
} as const;
type Base = Parameters<typeof operation>[0];
const describe = (change: Partial<Base> = {}) => describeApi([operation({ ...base, ...change })], '1.0.0', {});
const changesBy = (change: Partial<Base>) => breakingChanges(describe(), describe(change));
const { body } = base;

test.each<[string, Partial<Base>, string[]]>([
  ['a call of another name', { id: 'units.put' }, ['units.save: removed']],
  ['another address', { path: '/unit/{unit}' }, ['units.save: moved from POST /units/{unit} to POST /unit/{unit}']],
  ['a removed field of a request', { body: body.omit({ tags: true }) }, ['units.save: body tags: removed']],
  ['a new required field', { body: body.extend({ owner: z.string() }) }, ['units.save: body owner: is required now']],
  [
    'a field that becomes required',
    { body: body.extend({ mode: z.enum(['slow', 'fast']) }) },
    ['units.save: body mode: is required now'],
  ],
  ['a shorter text', { body: body.extend({ name: z.string().max(40) }) }, ['units.save: body name: maxLength is 40 now']],
  [
    'a new least length',
    { body: body.extend({ name: z.string().min(1).max(80) }) },
    ['units.save: body name: minLength is 1 now'],
  ],
  ['a pattern', { body: body.extend({ name: z.string().max(80).regex(/^a/u) }) }, ['units.save: body name: has another pattern']],
  [
    'a removed value',
    { body: body.extend({ mode: z.enum(['slow']).optional() }) },
    ['units.save: body mode: no longer takes "fast"'],
  ],
  ['another type', { body: body.extend({ name: z.number() }) }, ['units.save: body name: no longer takes string']],
  [
    'fewer alternatives',
    { body: body.extend({ size: z.number().optional() }) },
    ['units.save: body size: takes fewer kinds of values'],
  ],
  [
    'shorter items of a list',
    { body: body.extend({ tags: z.array(z.string().max(16)).max(20).optional() }) },
    ['units.save: body tags[]: maxLength is 16 now'],
  ],
  [
    'a smaller page',
    { query: z.object({ limit: z.coerce.number().int().min(1).max(100).optional() }) },
    ['units.save: query limit: maximum is 100 now'],
  ],
  ['a removed field of an answer', { response: unit.omit({ mode: true }) }, ['units.save: response mode: removed']],
  [
    'a renamed field of an answer',
    { response: unit.omit({ id: true }).extend({ key: z.string() }) },
    ['units.save: response id: removed'],
  ],
  ['a field that can be missing', { response: unit.partial({ id: true }) }, ['units.save: response id: can be missing now']],
  [
    'a value that can be null',
    { response: unit.extend({ id: z.string().nullable() }) },
    ['units.save: response id: can be null now'],
  ],
  [
    'another type inside of a list',
    { response: unit.extend({ parts: z.array(z.object({ name: z.number() })) }) },
    ['units.save: response parts[] name: can be number, integer now', 'units.save: response parts[] note: removed'],
  ],
  ['another content', { sends: 'file' }, ['units.save: response: no application/json any more']],
])('HKS-03-partial %s is a breaking change', (_name, change, sentences) => {
  expect(changesBy(change)).toEqual(sentences);
});

test.each<[string, Partial<Base>]>([
  ['nothing', {}],
  ['a new optional field', { body: body.extend({ owner: z.string().optional() }) }],
  ['a field that is no longer required', { body: body.partial({ name: true }) }],
  ['a wider request', { body: body.extend({ name: z.string().max(90), mode: z.enum(['slow', 'fast', 'eco']).optional() }) }],
  [
    'one more alternative',
    { body: body.extend({ size: z.union([z.number(), z.object({ mb: z.number() }), z.boolean()]).optional() }) },
  ],
  ['a new field of an answer', { response: unit.extend({ color: z.string() }) }],
  ['a new value of an answer', { response: unit.extend({ mode: z.enum(['slow', 'fast', 'eco']) }) }],
  ['an answer that is never null', { response: unit.extend({ size: z.number() }) }],
  ['another summary', { summary: 'Save one unit.' }],
])('HKS-03-partial %s breaks nothing', (_name, change) => {
  expect(changesBy(change)).toEqual([]);
});

test('HKS-03-partial the calls of the product compare as equal with themselves, and a new call breaks nothing', () => {
  const all = describeApi(allOperations, '1.0.0');
  expect(breakingChanges(all, structuredClone(all))).toEqual([]);
  expect(breakingChanges(describeApi(allOperations.slice(1), '1.0.0'), all)).toEqual([]);
  expect(breakingChanges(all, describeApi(allOperations.slice(1), '1.0.0'))).toEqual([`${allOperations[0]!.id}: removed`]);
});
