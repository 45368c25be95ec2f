import { nameKey, settingSchemas, toFamily, type SettingsFamily } from '@highline/contract';
import { sql } from 'kysely';
import { DomainError, newId, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import { lockOrganizationForNoKeyUpdate } from '../../platform/locks/row-locks.ts';
import { natural } from '../../platform/listing/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Queries } from '../../platform/ports/database.ts';
import { recordAudit, sentence } from '../logs/index.ts';

declare module '../../platform/ports/column-types.ts' {
  interface ColumnTypes {
    'router_setting_schemas.content': settingSchemas.SchemaFile;
  }
}

type SchemaDeps = Pick<Deps, 'database' | 'clock'>;

/** Schema files of an organization by their names (TPL-01). */
export async function readSchemaFiles(
  queries: Queries,
  { organizationId }: Pick<OrganizationScope, 'organizationId'>,
): Promise<settingSchemas.SchemaFile[]> {
  const { rows } = await sql<{ content: settingSchemas.SchemaFile }>`select content from router_setting_schemas s
    where s.organization_id = ${organizationId}::uuid order by ${natural(sql`s.name`)}, s.id`.execute(queries);
  return rows.map(({ content }) => content);
}

/** What they add to the standard. */
export async function readFamilies(queries: Queries, scope: OrganizationScope): Promise<readonly SettingsFamily[]> {
  return (await readSchemaFiles(queries, scope)).map((each) => toFamily(each));
}

/** Store a schema file in place of one of the same name. @throws DomainError `settings.too_many_schemas` */
export async function saveSchemaFile(
  { database, clock }: SchemaDeps,
  scope: OrganizationScope,
  actor: Actor,
  schema: settingSchemas.SchemaFile,
): Promise<void> {
  const now = clock.now();
  const { organizationId } = scope;
  await database.write(async (tx) => {
    await lockOrganizationForNoKeyUpdate(tx, scope);
    const others = (await readSchemaFiles(tx, scope)).filter(({ name }) => nameKey(name) !== nameKey(schema.name));
    if (others.length >= settingSchemas.MOST_SCHEMA_FILES) throw new DomainError('settings.too_many_schemas');
    await sql`insert into router_setting_schemas (id, organization_id, name, content, created_by, created_at)
      values (${newId(now.getTime())}, ${organizationId}::uuid, ${schema.name}, ${JSON.stringify(schema)}::jsonb, ${actor.email}, ${now})
      on conflict (organization_id, name_key(name)) do update set name = excluded.name, content = excluded.content, created_by = excluded.created_by,
        created_at = excluded.created_at`.execute(tx);
    await announce(tx, scope, 'settings', []);
    await recordAudit(
      tx,
      organizationId,
      actor,
      {
        action: sentence('settings.schema_saved', schema.name),
        subject: { kind: 'organization', id: organizationId },
        detail: schema,
      },
      now,
    );
  });
}

/** Delete a schema file; values of its parameters stay stored and are not sent. @throws DomainError `settings.no_schema` */
export async function deleteSchemaFile(
  { database, clock }: SchemaDeps,
  scope: OrganizationScope,
  actor: Actor,
  name: string,
): Promise<void> {
  const now = clock.now();
  const { organizationId } = scope;
  await database.write(async (tx) => {
    await lockOrganizationForNoKeyUpdate(tx, scope);
    const { rows } = await sql<{ id: string }>`delete from router_setting_schemas
      where organization_id = ${organizationId}::uuid and name = ${name} returning id`.execute(tx);
    if (rows.length === 0) throw new DomainError('settings.no_schema', { field: 'name' });
    await announce(tx, scope, 'settings', []);
    await recordAudit(
      tx,
      organizationId,
      actor,
      {
        action: sentence('settings.schema_deleted', name),
        subject: { kind: 'organization', id: organizationId },
        detail: { name },
      },
      now,
    );
  });
}
