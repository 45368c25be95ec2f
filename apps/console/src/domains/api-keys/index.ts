export { Scopes } from './Scopes.tsx';
export { useAreaName } from './useAreaName.ts';
