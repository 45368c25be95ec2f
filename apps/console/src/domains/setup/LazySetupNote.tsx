import { withMessages } from '../../i18n/i18n.ts';
import { optionalPart } from '../../ui/optional-part.ts';

const load = withMessages(['setup'], () => import('./SetupNote.tsx'));

/** Not needed to see what is wrong: it comes after the page. */
export const LazySetupNote = optionalPart(async () => (await load()).SetupNote);
