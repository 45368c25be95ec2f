export { LimitFields } from './LimitFields.tsx';
export { draftOfLimit, type LimitDraft, limitOf, noLimit } from './limit-draft.ts';
export { Scopes } from './Scopes.tsx';
export { useAreaName } from './useAreaName.ts';
