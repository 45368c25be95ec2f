export { LazySetupNote } from './LazySetupNote.tsx';
