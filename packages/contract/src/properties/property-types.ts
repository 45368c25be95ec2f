/** The type of a property, reported by routers or defined by an organization (part 1 section 3). */
export const propertyTypes = ['bool', 'number', 'string', 'picture'] as const;
export type PropertyType = (typeof propertyTypes)[number];
