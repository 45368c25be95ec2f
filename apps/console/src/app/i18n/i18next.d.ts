import 'i18next';
import type { Catalogue } from './en-US.ts';
import type { LateCatalogue } from './late.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'console';
    resources: { console: Catalogue & LateCatalogue };
  }
}
