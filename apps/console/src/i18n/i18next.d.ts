import 'i18next';
import type { Catalogue } from './en-US.ts';
import type { LazyMessages } from './lazy-catalogues.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'console';
    resources: { console: Catalogue & LazyMessages };
  }
}
