import { useTranslation } from 'react-i18next';
import type { CustomCommand } from './commands.api.ts';

/** What a command does, in a sentence. */
export function useAbout(): (command: Pick<CustomCommand, 'kind' | 'argument'>) => string {
  const { t } = useTranslation();
  return ({ kind, argument }) => {
    if (kind === 'roaming') return t(argument === 'true' ? 'commands.about.roamingOn' : 'commands.about.roamingOff');
    return t(`commands.about.${kind}`, { value: argument });
  };
}
