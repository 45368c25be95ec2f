import type { Operation } from '../operation.ts';
import { exampleOf } from './examples.ts';
import { jsonSchemaOf, type JsonSchema } from './schema.ts';

/** The fields of a body that a call accepts as they stand. */
export function bodyExampleOf({ body, bodyExample = {} }: Operation): Record<string, unknown> {
  const fields = { ...(exampleOf(jsonSchemaOf(body, 'input'), 'body') as object), ...bodyExample };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** A call whose body may be empty can be sent without one. */
export function requestBodyOf(operation: Operation, schema: JsonSchema): JsonSchema {
  const example = bodyExampleOf(operation);
  const isFileRequired = operation.bodyKind === 'multipart' && operation.isFileOptional !== true;
  return {
    required: isFileRequired || operation.isBodyRequired === true || !operation.body.safeParse({}).success,
    content: {
      [mediaType(operation)]: {
        schema,
        example: operation.bodyKind === 'multipart' ? { ...example, file: operation.fileExample ?? '(the file)' } : example,
      },
    },
  };
}

function mediaType(operation: Operation): string {
  if (operation.bodyKind === 'multipart') return 'multipart/form-data';
  return operation.bodyKind === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
}
