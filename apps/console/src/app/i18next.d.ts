import 'i18next';
import type { Catalogue } from './first-texts.en-US.ts';
import type { LazyMessages } from './catalogues.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'console';
    resources: { console: Catalogue & LazyMessages };
  }
}

declare module '../i18n/i18n.ts' {
  interface LoadedOnDemand extends LazyMessages {}
}
