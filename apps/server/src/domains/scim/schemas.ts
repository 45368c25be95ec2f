import { type Attribute, text, complexAttribute, listAttribute, referenceAttribute } from './attributes.ts';

export interface Schema {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly Attribute[];
}

export const CORE = 'urn:ietf:params:scim:schemas:core:2.0';
export const USER_SCHEMA = `${CORE}:User`;
export const GROUP_SCHEMA = `${CORE}:Group`;
export const ENTERPRISE_SCHEMA = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const MESSAGES = 'urn:ietf:params:scim:api:messages:2.0';

/** Of every resource; in no schema of it (RFC 7643, 3.1). */
export const commonAttributes: readonly Attribute[] = [
  text('id', 'The name that Highline gave it.', { caseExact: true, mutability: 'readOnly', returned: 'always' }),
  text('externalId', 'The name that the directory gave it.', { caseExact: true }),
  text('schemas', 'What attributes it has.', { multiValued: true, caseExact: true, returned: 'always' }),
  complexAttribute(
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
    complexAttribute('name', 'The parts of the name.', [
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
    listAttribute(
      'emails',
      'E-mail addresses; the primary one, or else that of type work, is the one of the account.',
      text('value', 'The address.'),
    ),
    listAttribute('phoneNumbers', 'Telephone numbers.', text('value', 'The number.')),
    listAttribute('ims', 'Addresses of messengers.', text('value', 'The address.')),
    listAttribute('photos', 'Pictures.', {
      name: 'value',
      type: 'reference',
      description: 'The address of the picture.',
      referenceTypes: ['external'],
    }),
    complexAttribute(
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
    complexAttribute(
      'groups',
      'The groups that the person is in.',
      [
        text('value', 'The id of the group.', { mutability: 'readOnly', caseExact: true }),
        referenceAttribute(['Group']),
        text('display', 'The name of the group.', { mutability: 'readOnly' }),
      ],
      { multiValued: true, mutability: 'readOnly' },
    ),
    listAttribute(
      'entitlements',
      'What the directory says the person may do; Highline only keeps it.',
      text('value', 'The name.'),
    ),
    listAttribute('roles', 'Roles in the directory; Highline only keeps them.', text('value', 'The name.')),
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
    complexAttribute('manager', 'The manager.', [
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
    complexAttribute(
      'members',
      'The people in it.',
      [
        text('value', 'The id of the person.', { mutability: 'immutable', caseExact: true }),
        referenceAttribute(['User']),
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

/** The most resources of one page. */
export const MOST_RESULTS = 200;
