export { summariesModule } from './module.ts';
