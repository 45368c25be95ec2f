import 'i18next';
import type { Catalogue } from './en-US.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'console';
    resources: { console: Catalogue };
  }
}
