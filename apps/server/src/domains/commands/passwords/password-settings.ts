import { routerPasswords } from '@highline/contract';
import type { Actor } from '../../../kernel/scope.ts';

declare module '../../../platform/ports/column-types.ts' {
  interface ColumnTypes {
    'router_password_settings.author': Actor;
  }
}

/** Of an organization that has set none. */
export const usualPasswordSettings: routerPasswords.PasswordSettings = {
  length: routerPasswords.PASSWORD_LENGTH.usual,
  symbols: false,
  rotateDays: null,
  automatic: false,
};
