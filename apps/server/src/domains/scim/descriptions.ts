import { type Attribute } from './attributes.ts';
import { type Schema, CORE, type ResourceType, MOST_RESULTS } from './schemas.ts';

/** A schema as `/Schemas` has it. */
export function describeSchema({ id, name, description, attributes }: Schema) {
  return {
    schemas: [`${CORE}:Schema`],
    id,
    name,
    description,
    attributes: attributes.map(describeAttribute),
    meta: { resourceType: 'Schema', location: `/scim/v2/Schemas/${id}` },
  };
}

function describeAttribute(attribute: Attribute): Record<string, unknown> {
  const { subAttributes, type, ...given } = attribute;
  return {
    multiValued: false,
    required: false,
    caseExact: type === 'reference',
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    type,
    ...given,
    ...(subAttributes === undefined ? {} : { subAttributes: subAttributes.map(describeAttribute) }),
  };
}

/** A type of resources as `/ResourceTypes` has it. */
export function describeType({ name, endpoint, schema, extensions }: ResourceType) {
  return {
    schemas: [`${CORE}:ResourceType`],
    id: name,
    name,
    endpoint,
    description: schema.description,
    schema: schema.id,
    schemaExtensions: extensions.map(({ id }) => ({ schema: id, required: false })),
    meta: { resourceType: 'ResourceType', location: `/scim/v2/ResourceTypes/${name}` },
  };
}

/** What is supported, as `/ServiceProviderConfig` has it. */
export const serviceProviderConfig = {
  schemas: [`${CORE}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MOST_RESULTS },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Secret of the directory',
      description: 'An admin makes it in the console, below Company sign-in.',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: '/scim/v2/ServiceProviderConfig' },
};
