export { daysOf } from './period.ts';
