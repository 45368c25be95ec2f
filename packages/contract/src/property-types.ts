/** What a property holds, be it told by routers or given by an organization (part 1 section 3). */
export const propertyTypes = ['bool', 'number', 'string', 'picture'] as const;
export type PropertyType = (typeof propertyTypes)[number];
