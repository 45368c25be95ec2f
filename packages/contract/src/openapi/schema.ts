import { z } from 'zod';

/** JSON Schema, or a part of an OpenAPI document. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * JSON Schema of the input or output of a schema of the contract. An object may have fields that are not named, unless it is strict:
 * programs skip fields of later versions.
 */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema instanceof z.ZodObject && zodSchema.def.catchall === undefined) delete jsonSchema.additionalProperties;
    },
  }) as JsonSchema;
  return rest;
}
