/** An attribute of a resource (RFC 7643, 7). */
export interface Attribute {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'dateTime' | 'reference' | 'complex';
  readonly description: string;
  readonly multiValued?: boolean;
  readonly required?: boolean;
  readonly caseExact?: boolean;
  readonly mutability?: 'readOnly' | 'immutable';
  readonly returned?: 'always';
  readonly uniqueness?: 'server';
  readonly subAttributes?: readonly Attribute[];
  readonly referenceTypes?: readonly string[];
}

export interface Schema {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly Attribute[];
}

const CORE = 'urn:ietf:params:scim:schemas:core:2.0';
export const USER_SCHEMA = `${CORE}:User`;
export const GROUP_SCHEMA = `${CORE}:Group`;
export const ENTERPRISE_SCHEMA = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const MESSAGES = 'urn:ietf:params:scim:api:messages:2.0';

const text = (name: string, description: string, more: Partial<Attribute> = {}): Attribute => ({
  name,
  type: 'string',
  description,
  ...more,
});
const complex = (
  name: string,
  description: string,
  subAttributes: readonly Attribute[],
  more: Partial<Attribute> = {},
): Attribute => ({
  name,
  type: 'complex',
  description,
  subAttributes,
  ...more,
});
/** A list of values, each of a type. */
const list = (name: string, description: string, value: Attribute): Attribute =>
  complex(
    name,
    description,
    [
      value,
      text('display', 'A label for people.'),
      text('type', 'What it is used for, such as work or home.'),
      { name: 'primary', type: 'boolean', description: 'The preferred one of the list.' },
    ],
    { multiValued: true },
  );
const reference = (referenceTypes: readonly string[]): Attribute => ({
  name: '$ref',
  type: 'reference',
  description: 'The address of the resource.',
  mutability: 'readOnly',
  referenceTypes,
});

/** Of every resource; in no schema of it (RFC 7643, 3.1). */
export const commonAttributes: readonly Attribute[] = [
  text('id', 'The name that Highline gave it.', { caseExact: true, mutability: 'readOnly', returned: 'always' }),
  text('externalId', 'The name that the directory gave it.', { caseExact: true }),
  text('schemas', 'What attributes it has.', { multiValued: true, caseExact: true, returned: 'always' }),
  complex(
    'meta',
    'When and where.',
    [
      text('resourceType', 'User or Group.', { caseExact: true }),
      { name: 'created', type: 'dateTime', description: 'When it was made.' },
      { name: 'lastModified', type: 'dateTime', description: 'When it was changed last.' },
      { name: 'location', type: 'reference', description: 'Its address.', referenceTypes: ['uri'] },
      text('version', 'Changes with each change.', { caseExact: true }),
    ],
    { mutability: 'readOnly' },
  ),
];

export const userSchema: Schema = {
  id: USER_SCHEMA,
  name: 'User',
  description: 'A person of the company.',
  attributes: [
    text('userName', 'The name of the person in the directory; an e-mail address where there is no other.', {
      required: true,
      uniqueness: 'server',
    }),
    complex('name', 'The parts of the name.', [
      text('formatted', 'The whole name.'),
      text('familyName', 'The family name.'),
      text('givenName', 'The given name.'),
      text('middleName', 'The middle names.'),
      text('honorificPrefix', 'What stands before the name.'),
      text('honorificSuffix', 'What stands after the name.'),
    ]),
    text('displayName', 'The name that Highline shows.'),
    text('nickName', 'How the person is called.'),
    { name: 'profileUrl', type: 'reference', description: 'A page about the person.', referenceTypes: ['external'] },
    text('title', 'The title, such as Fleet Manager.'),
    text('userType', 'The relation to the company.'),
    text('preferredLanguage', 'The language of mails: English, or Chinese where it begins with zh.'),
    text('locale', 'How numbers and dates are written.'),
    text('timezone', 'The time zone.'),
    { name: 'active', type: 'boolean', description: 'Whether the person may sign in.' },
    list(
      'emails',
      'E-mail addresses; the primary one, or else that of type work, is the one of the account.',
      text('value', 'The address.'),
    ),
    list('phoneNumbers', 'Telephone numbers.', text('value', 'The number.')),
    list('ims', 'Addresses of messengers.', text('value', 'The address.')),
    list('photos', 'Pictures.', {
      name: 'value',
      type: 'reference',
      description: 'The address of the picture.',
      referenceTypes: ['external'],
    }),
    complex(
      'addresses',
      'Postal addresses.',
      [
        text('formatted', 'The whole address.'),
        text('streetAddress', 'Street and number.'),
        text('locality', 'The city.'),
        text('region', 'The state or region.'),
        text('postalCode', 'The postal code.'),
        text('country', 'The country.'),
        text('type', 'What it is used for, such as work or home.'),
        { name: 'primary', type: 'boolean', description: 'The preferred one of the list.' },
      ],
      { multiValued: true },
    ),
    complex(
      'groups',
      'The groups that the person is in.',
      [
        text('value', 'The id of the group.', { mutability: 'readOnly', caseExact: true }),
        reference(['Group']),
        text('display', 'The name of the group.', { mutability: 'readOnly' }),
      ],
      { multiValued: true, mutability: 'readOnly' },
    ),
    list('entitlements', 'What the directory says the person may do; Highline only keeps it.', text('value', 'The name.')),
    list('roles', 'Roles in the directory; Highline only keeps them.', text('value', 'The name.')),
  ],
};

export const enterpriseSchema: Schema = {
  id: ENTERPRISE_SCHEMA,
  name: 'EnterpriseUser',
  description: 'The place of a person in the company.',
  attributes: [
    text('employeeNumber', 'The number of the employee.'),
    text('costCenter', 'The cost center.'),
    text('organization', 'The organization.'),
    text('division', 'The division.'),
    text('department', 'The department.'),
    complex('manager', 'The manager.', [
      text('value', 'The id of the manager.', { caseExact: true }),
      { name: '$ref', type: 'reference', description: 'The address of the manager.', referenceTypes: ['User'] },
      text('displayName', 'The name of the manager.'),
    ]),
  ],
};

export const groupSchema: Schema = {
  id: GROUP_SCHEMA,
  name: 'Group',
  description: 'People of the company; an admin chooses what they may do.',
  attributes: [
    text('displayName', 'The name of the group.', { required: true, uniqueness: 'server' }),
    complex(
      'members',
      'The people in it.',
      [
        text('value', 'The id of the person.', { mutability: 'immutable', caseExact: true }),
        reference(['User']),
        text('display', 'The name of the person.', { mutability: 'readOnly' }),
        text('type', 'User.', { mutability: 'immutable' }),
      ],
      { multiValued: true },
    ),
  ],
};

/** A type of resources, with the schemas of its attributes. */
export interface ResourceType {
  readonly name: 'User' | 'Group';
  readonly endpoint: '/Users' | '/Groups';
  readonly schema: Schema;
  readonly extensions: readonly Schema[];
}

export const userType: ResourceType = { name: 'User', endpoint: '/Users', schema: userSchema, extensions: [enterpriseSchema] };
export const groupType: ResourceType = { name: 'Group', endpoint: '/Groups', schema: groupSchema, extensions: [] };

/** A place in a resource: an attribute of it, or of a complex one. */
export interface AttributePath {
  /** The key of an extension in the resource; undefined = of the resource itself. */
  readonly extension: string | undefined;
  readonly attribute: Attribute;
  readonly sub: Attribute | undefined;
}

const isNamed = (name: string) => {
  const lower = name.toLowerCase();
  return (attribute: Attribute): boolean => attribute.name.toLowerCase() === lower;
};

/** The attribute of a complex one by its name, in any case. */
export const findSub = ({ subAttributes }: Attribute, name: string): Attribute | undefined => subAttributes?.find(isNamed(name));

/** The attribute of a resource itself by its name, in any case. */
export const findAttribute = ({ schema }: ResourceType, name: string): Attribute | undefined =>
  [...commonAttributes, ...schema.attributes].find(isNamed(name));

/** The extension of a resource by its URN, in any case. */
export const findExtension = ({ extensions }: ResourceType, urn: string): Schema | undefined => {
  const lower = urn.toLowerCase();
  return extensions.find(({ id }) => id.toLowerCase() === lower);
};

/** The place that a name such as `name.familyName` or `urn:…:User:department` means; undefined if there is none. */
export function findPath(type: ResourceType, text: string): AttributePath | undefined {
  const extension = type.extensions.find(({ id }) => text.toLowerCase().startsWith(`${id.toLowerCase()}:`));
  const isCore = text.toLowerCase().startsWith(`${type.schema.id.toLowerCase()}:`);
  const rest = text.slice(extension === undefined ? (isCore ? type.schema.id.length + 1 : 0) : extension.id.length + 1);
  const [first = '', second, ...more] = rest.split('.');
  const attribute = extension === undefined ? findAttribute(type, first) : extension.attributes.find(isNamed(first));
  if (attribute === undefined || more.length > 0) return undefined;
  const sub = second === undefined ? undefined : findSub(attribute, second);
  if (second !== undefined && sub === undefined) return undefined;
  return { extension: extension?.id, attribute, sub };
}

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

/** The most resources of one page. */
export const MOST_RESULTS = 200;

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
