import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/errors.ts';
import {
  cancelOwnConnection,
  type ConnectionType,
  connectionQuery,
  openConnection,
  type Opened,
  type Target,
} from './remote-access.api.ts';
import { pageOf } from './remote-access.ts';
import { useConnectionError } from './useConnectionError.ts';
import { useConnectionExists } from './useConnectionExists.ts';

/** Where a person is between pressing Connect and holding credentials. */
export type Stage =
  | { readonly at: 'closed' }
  | { readonly at: 'choice' }
  | { readonly at: 'connecting' }
  /** `page`: the address of the router's page, and whether the browser allowed it to open. */
  | { readonly at: 'open'; readonly opened: Opened; readonly page?: { readonly address: string; readonly shown: boolean } };

export interface Connecting {
  readonly stage: Stage;
  readonly choose: () => void;
  readonly connect: (type: ConnectionType) => void;
  /** Take the dialog away; a connection that is still being built is broken off. */
  readonly close: () => void;
}

/** Open the router's page in a tab that cannot reach back; browsers allow it for some seconds after the click. */
function openPage({ type, host }: Opened): { readonly address: string; readonly shown: boolean } | undefined {
  const address = type === 'gui' ? pageOf(host) : undefined;
  if (address === undefined) return undefined;
  const tab = window.open(address, '_blank');
  if (tab !== null) tab.opener = null;
  return { address, shown: tab !== null };
}

/**
 * The steps from Connect to credentials, and their failures: an existing connection, a router that cannot be reached
 * (RMT-01, RMT-04, RMT-05). Not a mutation of the query client, which would cache the password.
 */
export function useConnect(target: Target): Connecting {
  const client = useQueryClient();
  const showError = useConnectionError();
  const showExists = useConnectionExists(target.device);
  const [stage, setStage] = useState<Stage>({ at: 'closed' });
  const attempt = useRef<AbortController>(undefined);
  useEffect(() => () => attempt.current?.abort(), []);

  const refresh = () => client.invalidateQueries({ queryKey: connectionQuery(target.device).queryKey });
  const explain = async (error: unknown): Promise<void> => {
    await (error instanceof ApiError && error.key === 'remote.exists' ? showExists() : showError(error));
  };
  const run = async (type: ConnectionType): Promise<void> => {
    const { signal } = (attempt.current = new AbortController());
    setStage({ at: 'connecting' });
    try {
      const opened = await openConnection(target, type, signal);
      signal.throwIfAborted();
      const page = openPage(opened);
      setStage({ at: 'open', opened, ...(page === undefined ? {} : { page }) });
    } catch (error) {
      if (signal.aborted) return await cancelOwnConnection(target.device).catch(() => undefined);
      setStage({ at: 'closed' });
      await explain(error);
    } finally {
      void refresh();
    }
  };
  return {
    stage,
    choose: () => setStage({ at: 'choice' }),
    connect: (type) => void run(type),
    close() {
      attempt.current?.abort();
      setStage({ at: 'closed' });
    },
  };
}
