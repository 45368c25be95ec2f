import { useTranslation } from '#i18n';
import type { Problem } from './device-add.ts';

/** The messages of problems. @param labels the labels of the fields */
export function useProblemTexts<Field extends string>(labels: Readonly<Record<Field, string>>) {
  const { t } = useTranslation();
  return (problems: Readonly<Partial<Record<Field, Problem>>>): Partial<Record<Field, string>> => {
    const texts = (Object.entries(problems) as [Field, Problem][]).map(([field, problem]) => {
      if (problem === 'reversed') return [field, t('deviceForms.reversed')];
      return [field, t(problem === 'required' ? 'ui.form.required' : 'ui.form.format', { field: labels[field] })];
    });
    return Object.fromEntries(texts) as Partial<Record<Field, string>>;
  };
}
