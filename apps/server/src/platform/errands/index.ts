export { createErrands, type ErrandAnswer, type ErrandPatience, type ErrandsDeps } from './errands.ts';
export { purgeErrands } from './errands.store.ts';
