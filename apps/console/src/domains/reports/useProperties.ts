import { useQuery } from '@tanstack/react-query';
import { propertiesQuery, type Property } from './reports.api.ts';

const noProperties: readonly Property[] = [];

/** The available properties; empty until they are loaded. */
export function useProperties(): readonly Property[] {
  return useQuery(propertiesQuery()).data ?? noProperties;
}

/** The unit in which a property is stored; empty if it has none, and until it is loaded. */
export function usePropertyUnit(property: string): string {
  return useProperties().find(({ property_id }) => property_id === property)?.unit ?? '';
}
