import 'i18next';
import type { Catalogue } from '../i18n/en-US.ts';
import type { LazyMessages } from './catalogues.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'console';
    resources: { console: Catalogue & LazyMessages };
  }
}
