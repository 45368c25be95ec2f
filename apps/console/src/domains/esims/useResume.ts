import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from '#i18n';
import { HIGHLIGHT_SECONDS, highlight } from '../../api/highlights.ts';
import { useAction } from '../../api/useAction.ts';
import { toast } from '../../ui/toasts.ts';
import { type Profile, resumeProfile } from './esims.api.ts';

/** While something is tracked the list is fetched this often, should the live stream be down. */
const TRACKING_MS = 5_000;

/** Retrying a failed eSIM, and following it for 60 s (SIM-03). */
export interface Resume {
  readonly run: (profile: Profile) => void;
  readonly busy: boolean;
  /** The ids that are being followed. */
  readonly tracked: ReadonlySet<string>;
}

/** Let the router retry a failed eSIM; its row is highlighted and refetched for 60 s. */
export function useResume(): Resume {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [tracked, setTracked] = useState<ReadonlyMap<string, number>>(new Map());
  const action = useAction<Profile, Profile>({
    run: ({ pk }) => resumeProfile(pk),
    onDone: ({ pk, name, iccid }) => {
      highlight('profiles', [pk]);
      setTracked((before) => new Map([...before, [pk, Date.now() + HIGHLIGHT_SECONDS * 1000]]));
      toast(t('esims.resume.started', { name: name || iccid }));
      void client.invalidateQueries({ queryKey: ['esims'] });
    },
  });
  const any = tracked.size > 0;
  useEffect(() => {
    if (!any) return undefined;
    const timer = setInterval(() => {
      const now = Date.now();
      setTracked((before) => new Map([...before].filter(([, until]) => until > now)));
      void client.invalidateQueries({ queryKey: ['esims'] });
    }, TRACKING_MS);
    return () => clearInterval(timer);
  }, [any, client]);
  return { run: action.run, busy: action.busy, tracked: new Set(tracked.keys()) };
}
