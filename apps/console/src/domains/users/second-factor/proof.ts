import { useState } from 'react';
import { useTranslation } from '#i18n';
import { ApiError } from '../../../api/errors.ts';
import { useConfirmation } from '../../../api/useConfirmation.ts';
import { useErrorText } from '../../../api/useErrorText.ts';

/** Password and code as typed, with the faults of each. */
export function useProof() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [values, setValues] = useState({ password: '', code: '' });
  const [problems, setProblems] = useState<{ readonly password?: string; readonly code?: string }>({});
  const { isConfirmed } = useConfirmation();
  const field = (name: 'password' | 'code') => ({
    value: values[name],
    error: problems[name],
    onChange: (value: string) => {
      setProblems({});
      setValues({ ...values, [name]: value });
    },
  });
  return {
    values,
    /** The password was typed, or is not needed. */
    isProven: isConfirmed || values.password !== '',
    field,
    /** @returns whether the failure belongs to one of the two fields */
    reject(error: unknown): boolean {
      const key = error instanceof ApiError ? error.key : undefined;
      if (key === 'account.wrong_password') setProblems({ password: t('users.secondFactor.wrongPassword') });
      else if (key === 'account.otp_wrong' || key === 'account.otp_needed') setProblems({ code: errorText(error) });
      else return false;
      return true;
    },
  };
}
