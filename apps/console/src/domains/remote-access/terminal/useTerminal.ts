import { remoteAccess } from '@highline/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../../api/client.ts';
import { ApiError } from '../../../api/errors.ts';
import { cancelOwnConnection, connectionQuery, type Target } from '../remote-access.api.ts';
import { useConnectionError } from '../useConnectionError.ts';
import { useConnectionExists } from '../useConnectionExists.ts';

/** Where a terminal is between the press and its end. */
export type TerminalStage =
  | { readonly at: 'closed' }
  | { readonly at: 'connecting' }
  | { readonly at: 'open'; readonly ticket: string; readonly recorded: boolean }
  | { readonly at: 'closing' }
  | { readonly at: 'ended'; readonly reason: string };

/** @throws ApiError with the server's message, or with the router's own */
async function fetchTicket(
  serial: string,
  signal: AbortSignal,
): Promise<{ readonly ticket: string; readonly recorded: boolean }> {
  const { statusCode, statusMsg, ticket, recorded } = await call(remoteAccess.openTerminal, { body: { serial }, signal });
  if (statusCode !== 200) throw new ApiError({ status: statusCode, message: statusMsg ?? `HTTP ${statusCode}` });
  return { ticket, recorded };
}

/** The steps of a terminal, with the same failures as Connect (RMT-04, RMT-05). The ticket is in no cache. */
export function useTerminal(target: Target) {
  const client = useQueryClient();
  const showError = useConnectionError();
  const showExists = useConnectionExists(target.device);
  const [stage, setStage] = useState<TerminalStage>({ at: 'closed' });
  const attempt = useRef<AbortController>(undefined);
  useEffect(() => () => attempt.current?.abort(), []);
  const refresh = () => client.invalidateQueries({ queryKey: connectionQuery(target.device).queryKey });

  const run = async (): Promise<void> => {
    const { signal } = (attempt.current = new AbortController());
    setStage({ at: 'connecting' });
    try {
      const opened = await fetchTicket(target.serial, signal);
      signal.throwIfAborted();
      setStage({ at: 'open', ...opened });
    } catch (error) {
      if (signal.aborted) return await cancelOwnConnection(target.device).catch(() => undefined);
      setStage({ at: 'closed' });
      await (error instanceof ApiError && error.key === 'remote.exists' ? showExists() : showError(error));
    } finally {
      void refresh();
    }
  };
  return {
    stage,
    open: () => void run(),
    /** Give up the attempt, and end what it opened. */
    cancel() {
      attempt.current?.abort();
      setStage({ at: 'closed' });
    },
    /** Close it, and wait until the server has ended its session: only then can the next be opened. */
    async close() {
      setStage({ at: 'closing' });
      try {
        await cancelOwnConnection(target.device);
      } catch {
        // The server ends a session whose socket has gone, also while it cannot be reached from here.
      }
      await refresh();
      setStage({ at: 'closed' });
    },
    end(reason: string) {
      setStage({ at: 'ended', reason });
      void refresh();
    },
  };
}
