import { useTranslation } from '#i18n';

/** The name of a part of the API; one that this console does not know yet has its name in the API. */
export function useAreaName(): (area: string) => string {
  const { t, i18n } = useTranslation();
  return (area) => {
    const key = `apiKeys.area.${area}`;
    return i18n.exists(key) ? t(key as 'apiKeys.area.devices') : area;
  };
}
