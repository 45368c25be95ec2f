export { diagnosisModule } from './module.ts';
