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

export const text = (name: string, description: string, more: Partial<Attribute> = {}): Attribute => ({
  name,
  type: 'string',
  description,
  ...more,
});

export const complexAttribute = (
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
export const listAttribute = (name: string, description: string, value: Attribute): Attribute =>
  complexAttribute(
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

export const referenceAttribute = (referenceTypes: readonly string[]): Attribute => ({
  name: '$ref',
  type: 'reference',
  description: 'The address of the resource.',
  mutability: 'readOnly',
  referenceTypes,
});
