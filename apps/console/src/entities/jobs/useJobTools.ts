import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from '#i18n';
import { useShowError } from '../../api/useAction.ts';
import type { JobTools } from './show-job.ts';

/** What the message about a job needs of the page. */
export function useJobTools(): JobTools {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  const showError = useShowError();
  return useMemo(() => ({ t, client, navigate, showError }), [t, client, navigate, showError]);
}
