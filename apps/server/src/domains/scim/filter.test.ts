import { describe, expect, test } from 'vitest';
import { Effort } from './effort.ts';
import { ScimFailure } from './failure.ts';
import { matches } from './filter-matches.ts';
import { readFilter, readPath } from './filter.ts';
import { applyPatch } from './patch.ts';
import { project, readDocument } from './resource.ts';
import { ENTERPRISE_SCHEMA, groupType, userType } from './schemas.ts';

const barbara = {
  id: '2819c223',
  userName: 'bjensen@example.com',
  name: { formatted: 'Ms. Barbara J Jensen', familyName: 'Jensen', givenName: 'Barbara' },
  title: 'Tour "Guide"',
  userType: 'Employee',
  active: true,
  emails: [
    { value: 'bjensen@example.com', type: 'work', primary: true },
    { value: 'babs@jensen.org', type: 'home' },
  ],
  meta: { lastModified: '2011-05-13T04:42:34Z' },
  [ENTERPRISE_SCHEMA]: { department: 'Tours', manager: { value: '26118915' } },
};
const fits = (text: string) => matches(readFilter(userType, text), barbara, new Effort());
const failureOf = (act: () => unknown) => {
  try {
    act();
  } catch (error) {
    if (error instanceof ScimFailure) return error.scimType;
    throw error;
  }
  return 'none';
};

describe('IAM-02-partial filters of RFC 7644', () => {
  test.each([
    ['userName eq "BJensen@example.com"', true],
    ['USERNAME Eq "bjensen@example.com"', true],
    ['name.familyName co "ens"', true],
    ['name.familyName co "O\'Malley"', false],
    ['userName sw "b"', true],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName sw "B"', true],
    ['userName ew "example.com"', true],
    ['title pr', true],
    ['nickName pr', false],
    ['meta.lastModified gt "2011-05-13T04:42:33Z"', true],
    ['meta.lastModified ge "2011-05-13T04:42:34Z"', true],
    ['meta.lastModified lt "2011-05-13T04:42:34Z"', false],
    ['meta.lastModified le "2011-05-13T06:42:34+02:00"', true],
    ['title pr and userType eq "Employee"', true],
    ['title pr or userType eq "Intern"', true],
    ['userType eq "Employee" and (emails co "example.com" or emails.value co "example.org")', true],
    ['userType ne "Employee" and not (emails co "example.com" or emails.value co "example.org")', false],
    ['userType eq "Employee" and (emails.type eq "work")', true],
    ['userType eq "Employee" and emails[type eq "work" and value co "@example.com"]', true],
    ['emails[type eq "work" and value co "@jensen.org"]', false],
    ['emails[type eq "work" and value co "@example.com"] or ims[type eq "xmpp" and value co "@foo.com"]', true],
    // and comes before or
    ['userType eq "Intern" and title pr or userType eq "Employee"', true],
    ['userType eq "Employee" or title pr and userType eq "Intern"', true],
    ['not(userType eq "Intern")', true],
    ['active eq true', true],
    ['active eq "False"', false],
    ['nickName eq null', true],
    ['nickName ne "Babs"', true],
    ['title eq "Tour \\"Guide\\""', true],
    ['id eq "2819C223"', false],
    [`${ENTERPRISE_SCHEMA}:department eq "tours"`, true],
    [`${ENTERPRISE_SCHEMA}:manager.value eq "26118915"`, true],
  ])('%s', (text, expected) => expect(fits(text)).toBe(expected));

  test.each([
    'userName',
    'userName eq',
    'userName eq "a',
    'userName eq bjensen',
    'userName is "a"',
    'unknown eq "a"',
    'name.unknown eq "a"',
    'userName eq "a" and',
    '(userName eq "a"',
    'userName eq "a")',
    'userName[value eq "a"]',
    'emails[type eq "work"',
    'emails[emails[type eq "work"]]',
    'not userName pr',
    '',
    '[',
    '"',
    'userName eq {"a":1}',
    'userName eq "a\\u0000"',
    'userName eq "\\ud800"',
    '__proto__ pr',
    'constructor.name pr',
    Array.from({ length: 10_000 }, () => 'title pr').join(' or '),
    Array.from({ length: 500 }, () => 'title pr').join(' or '),
    `${'('.repeat(3_000)}title pr${')'.repeat(3_000)}`,
    `${'not('.repeat(50)}title pr${')'.repeat(50)}`,
  ])('rejects %s', (text) => expect(failureOf(() => readFilter(userType, text))).toBe('invalidFilter'));
});

const patch = (operations: readonly object[], document: Record<string, unknown> = barbara) => {
  const { id: _, meta: __, ...writable } = document;
  return applyPatch(userType, writable, { Operations: operations });
};

describe('IAM-02-partial PATCH of RFC 7644', () => {
  test('adds, replaces and removes attributes, values of a list, and attributes of these', () => {
    expect(patch([{ op: 'add', path: 'nickName', value: 'Babs' }])).toMatchObject({ nickName: 'Babs' });
    expect(patch([{ op: 'replace', path: 'name.givenName', value: 'Bea' }])).toMatchObject({
      name: { givenName: 'Bea', familyName: 'Jensen' },
    });
    expect(patch([{ op: 'remove', path: 'title' }])).not.toHaveProperty('title');
    expect(patch([{ op: 'remove', path: 'emails[type eq "home"]' }])['emails']).toHaveLength(1);
    expect(patch([{ op: 'remove', path: 'emails[type eq "home"].type' }])['emails']).toContainEqual({ value: 'babs@jensen.org' });
    expect(patch([{ op: 'remove', path: 'emails' }])).not.toHaveProperty('emails');
    expect(patch([{ op: 'replace', path: 'emails[type eq "work"].value', value: 'b@example.com' }])['emails']).toContainEqual({
      value: 'b@example.com',
      type: 'work',
      primary: true,
    });
    // A value that is added twice is there once, whatever the order of its parts.
    const twice = [{ op: 'add', path: 'emails', value: [{ type: 'home', value: 'babs@jensen.org' }] }];
    expect(patch(twice)['emails']).toHaveLength(2);
  });

  test('the preferred value of a list is one', () => {
    const added = patch([{ op: 'add', path: 'emails', value: [{ value: 'new@example.com', primary: true }] }]);
    const preferred = (added['emails'] as { primary?: boolean }[]).filter(({ primary }) => primary === true);
    expect(preferred).toEqual([{ value: 'new@example.com', primary: true }]);
  });

  test('understands how Microsoft Entra ID spells it', () => {
    const changed = patch([
      { op: 'Replace', path: 'active', value: 'False' },
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+1 555' },
      {
        op: 'Add',
        value: { 'name.familyName': 'Smith', [`${ENTERPRISE_SCHEMA}:department`]: 'Fleet', displayName: 'B Smith', unknown: 1 },
      },
      { op: 'Add', path: `${ENTERPRISE_SCHEMA}:manager`, value: '42' },
    ]);
    expect(changed).toMatchObject({
      active: false,
      displayName: 'B Smith',
      name: { familyName: 'Smith', givenName: 'Barbara' },
      phoneNumbers: [{ type: 'mobile', value: '+1 555' }],
      [ENTERPRISE_SCHEMA]: { department: 'Fleet', manager: { value: '42' } },
    });
    const group = { displayName: 'Fleet', members: [{ value: 'a' }, { value: 'b' }, { value: 'c' }] };
    const members = (operation: object) => applyPatch(groupType, group, { Operations: [operation] })['members'];
    expect(members({ op: 'Remove', path: 'members', value: [{ value: 'a' }] })).toEqual([{ value: 'b' }, { value: 'c' }]);
    expect(members({ op: 'remove', path: 'members[value eq "b"]' })).toEqual([{ value: 'a' }, { value: 'c' }]);
    expect(members({ op: 'Add', path: 'members', value: [{ value: 'c' }, { value: 'd' }] })).toHaveLength(4);
    expect(members({ op: 'remove', path: 'members' })).toBeUndefined();
  });

  test.each([
    ['a path that does not exist', [{ op: 'replace', path: 'unknown', value: 1 }], 'invalidPath'],
    ['a part that does not exist', [{ op: 'replace', path: 'name.unknown', value: 1 }], 'invalidPath'],
    [
      'an attribute of values that does not exist',
      [{ op: 'add', path: 'emails[type eq "work"].unknown', value: '1' }],
      'invalidPath',
    ],
    ['a list that is none', [{ op: 'add', path: 'name[familyName eq "a"]', value: '1' }], 'invalidPath'],
    ['a path that breaks off', [{ op: 'add', path: 'emails[type eq "work"', value: '1' }], 'invalidPath'],
    [
      'a path of 10,000 terms',
      [{ op: 'add', path: `emails[${'type pr or '.repeat(10_000)}type pr]`, value: 'x' }],
      'invalidFilter',
    ],
    ['no value that fits', [{ op: 'replace', path: 'emails[type eq "other"].value', value: 'a' }], 'noTarget'],
    ['a removal of nothing', [{ op: 'remove' }], 'noTarget'],
    ['what no client writes', [{ op: 'replace', path: 'id', value: 'a' }], 'mutability'],
    ['groups of a person', [{ op: 'add', path: 'groups', value: [{ value: 'a' }] }], 'mutability'],
    ['another verb', [{ op: 'move', path: 'title', value: 'a' }], 'invalidSyntax'],
    ['no operation', [], 'invalidSyntax'],
    ['a value of another type', [{ op: 'replace', path: 'active', value: 'maybe' }], 'invalidValue'],
    ['an object for a text', [{ op: 'replace', path: 'title', value: {} }], 'invalidValue'],
    ['a text with NUL', [{ op: 'replace', path: 'title', value: 'a\0' }], 'invalidValue'],
    ['half a character', [{ op: 'replace', path: 'title', value: '\uD800' }], 'invalidValue'],
    ['a long text', [{ op: 'replace', path: 'title', value: 'a'.repeat(2_000) }], 'invalidValue'],
    [
      '10,000 values',
      [{ op: 'replace', path: 'emails', value: Array.from({ length: 10_000 }, () => ({ value: 'a' })) }],
      'invalidValue',
    ],
  ])('rejects %s', (_, operations, expected) => expect(failureOf(() => patch(operations))).toBe(expected));

  test('nothing reaches the prototype of an object', () => {
    const body = JSON.parse('{"Operations":[{"op":"add","value":{"__proto__":{"polluted":true}}}]}') as Record<string, unknown>;
    applyPatch(userType, {}, body);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(failureOf(() => readPath(userType, '__proto__.polluted'))).toBe('invalidPath');
  });
});

test('IAM-02-partial a resource has the attributes that were requested, by any spelling, and what is unknown has no effect', () => {
  const resource = { schemas: ['s'], ...barbara };
  expect(project(userType, resource, { attributes: ['username', 'NAME.familyName', 'emails.value'], excluded: [] })).toEqual({
    schemas: ['s'],
    id: '2819c223',
    userName: 'bjensen@example.com',
    name: { familyName: 'Jensen' },
    emails: [{ value: 'bjensen@example.com' }, { value: 'babs@jensen.org' }],
  });
  const without = project(userType, resource, {
    attributes: [],
    excluded: ['id', 'emails', 'name.formatted', ENTERPRISE_SCHEMA],
  });
  expect(without).toMatchObject({ id: '2819c223', name: { familyName: 'Jensen', givenName: 'Barbara' } });
  expect(without).not.toHaveProperty('emails');
  expect(without).not.toHaveProperty([ENTERPRISE_SCHEMA]);
  expect(readDocument(userType, { USERNAME: 'a', Active: 'TRUE', id: 'mine', unknown: 1, emails: 'a@b.c', title: null })).toEqual(
    {
      userName: 'a',
      active: true,
      emails: [{ value: 'a@b.c' }],
    },
  );
});
