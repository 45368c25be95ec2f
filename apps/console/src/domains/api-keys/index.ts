export { type LimitDraft, LimitFields, limitOf, noLimit } from './LimitFields.tsx';
export { Scopes } from './Scopes.tsx';
export { useAreaName } from './useAreaName.ts';
