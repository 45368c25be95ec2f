import { useTranslation } from '#i18n';
import type { CustomCommand } from './commands.api.ts';

/** Describes a command in one sentence. */
export function useCommandDescription(): (command: Pick<CustomCommand, 'kind' | 'argument'>) => string {
  const { t } = useTranslation();
  return ({ kind, argument }) => {
    if (kind === 'roaming') return t(argument === 'true' ? 'commands.about.roamingOn' : 'commands.about.roamingOff');
    return t(`commands.about.${kind}`, { value: argument });
  };
}
