import { IconX } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { chooseLanguage } from '../../i18n/i18n.ts';
import { IconButton } from '../../ui/ActionButton.tsx';
import { hasChosenLanguage, storeLanguage, useLanguage } from '../../ui/language.ts';

/** Whether a browser prefers Chinese as it is written in Taiwan. @param tags BCP 47, the preferred one first */
export function prefersTraditionalChinese(tags: readonly string[]): boolean {
  return /^zh(?:-Hant)?(?:-(?:TW|HK|MO))?$/iu.test(tags[0] ?? '');
}

/** The console begins in English (NAV-07): to a browser in Chinese it offers the other language, until the person has chosen. */
export function LanguageOffer(): ReactNode {
  const { t } = useTranslation();
  const language = useLanguage();
  const [isOffered, setOffered] = useState(() => !hasChosenLanguage() && prefersTraditionalChinese(navigator.languages));
  if (!isOffered || language === 'zh-TW') return null;
  const decline = () => {
    storeLanguage(language);
    setOffered(false);
  };
  return (
    <p className="connection language-offer" role="status">
      <button type="button" className="link" lang="zh-TW" onClick={() => void chooseLanguage('zh-TW')}>
        改用繁體中文
      </button>
      <span className="spacer" />
      <IconButton label={t('ui.close')} icon={<IconX size={16} />} onClick={decline} />
    </p>
  );
}
