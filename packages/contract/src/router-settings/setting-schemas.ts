import { z } from 'zod';
import { isWhole, line, paragraph, tenantBody, tenantQuery, typedName } from '../conventions.ts';
import { adminOnly, everyRole, operation } from '../operation.ts';
import { canCutByName, isSecretByName, LONGEST_SETTING, MOST_VALUES } from './schema.ts';

/** Schema files of an organization. */
export const MOST_SCHEMA_FILES = 10;

/** As it is stored, perhaps since before texts of files were checked as now. */
const text = (most: number) => z.string().trim().min(1).max(most);
/** A text of a file, in the form in which what people type is stored. */
const read = (typed: (most: number) => z.ZodString, most: number) =>
  typed(most).min(1).refine(isWhole, 'must be UTF-8: a character of it was lost');
const localized = (each: z.ZodString) => z.object({ en: each, zh: each.optional() });
const limit = z.number().int().min(0).max(999_999_999);

/** Objects below `Device.`, each with the position of its instance where it is a table: `X_ACME_Gps.Source[at=1].Interval`. */
const isVendorPath = (path: string) => {
  const parts = path.split('.');
  return (
    parts.length > 1 &&
    /^[A-Za-z]\w*$/u.test(parts.at(-1)!) &&
    parts.slice(0, -1).every((part) => /^[A-Za-z]\w*(?:\[at=[1-9]\d?\])?$/u.test(part))
  );
};

/** A parameter as it is stored. */
const storedSetting = z.object({
  path: z.string().max(160),
  label: localized(text(80)),
  help: localized(text(300)).optional(),
  type: z.enum(['flag', 'text', 'number', 'choice', 'address', 'addresses']),
  /** Of a number; bytes of a text. */
  least: limit.optional(),
  most: limit.optional(),
  options: z.array(text(60)).min(1).max(60).optional(),
  /** Stored sealed and never shown. */
  secret: z.boolean().optional(),
  /** A wrong value can cut the router off. */
  can_cut: z.boolean().optional(),
});

const setting = storedSetting
  .extend({
    label: localized(read(line, 80)),
    help: localized(read(paragraph, 300)).optional(),
    options: z.array(read(line, 60)).min(1).max(60).optional(),
  })
  .refine(({ path }) => isVendorPath(path), {
    path: ['path'],
    error: 'must be objects and a parameter, with [at=1] after a table',
  })
  .refine(({ type, options }) => (type === 'choice') === (options !== undefined), 'must have options exactly when it is a choice')
  .refine(
    ({ type, least = 0, most = type === 'text' ? LONGEST_SETTING : 999_999_999 }) => least <= most,
    'must have a least that is not above most',
  )
  .refine(({ type, most = 0 }) => type !== 'text' || most <= LONGEST_SETTING, `must have texts of at most ${LONGEST_SETTING}`)
  .refine(({ type, secret }) => type === 'text' || secret !== true, 'must be a text to be secret')
  .refine((each) => !isSecretByName(each) || each.secret === true, {
    path: ['secret'],
    error: 'must be true, since a parameter of this name is a secret',
  })
  .refine((each) => !canCutByName(each) || each.can_cut === true, {
    path: ['can_cut'],
    error: 'must be true, since a parameter of this object can cut a router off',
  });

const schemaFile = z.object({
  name: read(typedName, 60),
  /** Models, or their beginnings with a final `*`. */
  models: z.array(read(line, 60)).min(1).max(20),
  settings: z
    .array(setting)
    .min(1)
    .max(MOST_VALUES / 2)
    .refine((list) => new Set(list.map((each) => each.path)).size === list.length, 'must name each path once'),
});

const storedFile = schemaFile.extend({
  name: text(60),
  models: z.array(text(60)).min(1).max(20),
  settings: z.array(storedSetting),
});
export type SchemaFile = z.infer<typeof storedFile>;

const SCHEMAS = '/data_manager/v1/dm/settings/schemas';
const answer = z.object({ result: z.array(storedFile) });

export const listSchemaFiles = operation({
  id: 'settings.schemas',
  method: 'GET',
  path: SCHEMAS,
  summary:
    'Schema files of the organization: parameters of models of other vendors, or their ranges, which the form of settings then has (TPL-01).',
  scope: 'organization',
  roles: everyRole,
  query: tenantQuery,
  response: answer,
});

export const saveSchemaFile = operation({
  id: 'settings.saveSchema',
  method: 'PUT',
  path: SCHEMAS,
  summary: `Store a schema file, in place of one of the same name; at most ${MOST_SCHEMA_FILES} (TPL-01).`,
  scope: 'organization',
  roles: adminOnly,
  body: tenantBody.extend({ schema: schemaFile }),
  bodyExample: {
    schema: {
      name: 'Acme A10',
      models: ['A10*'],
      settings: [{ path: 'X_ACME_Gps.Interval', label: { en: 'Position interval' }, type: 'number', least: 1, most: 3600 }],
    },
  },
  response: answer,
});

export const deleteSchemaFile = operation({
  id: 'settings.deleteSchema',
  method: 'POST',
  path: `${SCHEMAS}/delete`,
  summary: 'Delete a schema file by its name; values of its parameters stay stored and are not sent any more (TPL-01).',
  scope: 'organization',
  roles: adminOnly,
  body: tenantBody.extend({ name: text(60) }),
  bodyExample: { name: 'Acme A10' },
  response: answer,
});

export const schemaNames = {
  SettingsSchemaFile: storedFile,
  SavedSchemaFile: schemaFile,
  SettingsSchemaFileSetting: storedSetting,
};
