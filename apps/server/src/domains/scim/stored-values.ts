import type { AttributePath } from './schemas.ts';

export const operators = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;

export type Operator = (typeof operators)[number];

export type Literal = string | number | boolean | null;

/** A filter of RFC 7644, 3.4.2.2. */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Filter[] }
  | { readonly kind: 'not'; readonly part: Filter }
  | { readonly kind: 'present'; readonly path: AttributePath }
  | { readonly kind: 'compare'; readonly path: AttributePath; readonly operator: Operator; readonly literal: Literal }
  /** Of the values of a list, one fits. */
  | { readonly kind: 'some'; readonly path: AttributePath; readonly filter: Filter };

/** Whether PostgreSQL can store a text, and compare with it. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** An object of JSON that is no list. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
