export { foundQuery } from './search.api.ts';
