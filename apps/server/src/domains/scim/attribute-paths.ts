import type { Attribute } from './attributes.ts';
import { type Schema, commonAttributes, type ResourceType, type AttributePath } from './schemas.ts';

const isNamed = (name: string) => {
  const lower = name.toLowerCase();
  return (attribute: Attribute): boolean => attribute.name.toLowerCase() === lower;
};

/** The attribute of a complex one by its name, in any case. */
export const findSub = ({ subAttributes }: Attribute, name: string): Attribute | undefined => subAttributes?.find(isNamed(name));

/** The attribute of a resource itself by its name, in any case. */
const findAttribute = ({ schema }: ResourceType, name: string): Attribute | undefined =>
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
