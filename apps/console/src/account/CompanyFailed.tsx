import { failures, type FailureKey } from '@highline/contract';
import type { ReactNode } from 'react';
import { Button } from '../ui/controls/Button.tsx';
import { useLanguage } from '../ui/language.ts';
import { Card } from './Card.tsx';
import { Problem } from './Outcome.tsx';
import { chineseFailures } from './texts.ts';
import { useTexts } from './useTexts.ts';

export interface CompanyFailedProps {
  /** The key of the failure, from the address: any text. */
  readonly failure: string;
  readonly onBack: () => void;
}

const isKnown = (key: string): key is FailureKey => Object.hasOwn(failures, key) && /^(?:provider|account)\./u.test(key);

/** Why a sign-in by the company's identity provider was rejected (IAM-01). */
export function CompanyFailed({ failure, onBack }: CompanyFailedProps): ReactNode {
  const texts = useTexts();
  const language = useLanguage();
  const key = isKnown(failure) ? failure : 'provider.rejected';
  return (
    <Card title={texts.companyFailed}>
      <Problem text={(language === 'zh-TW' ? chineseFailures[key] : undefined) ?? failures[key].message} />
      <Button variant="filled" fullWidth autoFocus onClick={onBack}>
        {texts.back}
      </Button>
    </Card>
  );
}
