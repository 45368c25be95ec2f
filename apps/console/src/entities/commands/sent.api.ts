import { sentCommands } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, type CallInput } from '../../api/client.ts';
import { pagesOf, REFRESH_MS } from '../../api/useList.ts';

export type SentCommand = sentCommands.SentCommand;
export type SentKind = sentCommands.SentKind;
type SendInput = CallInput<typeof sentCommands.sendCommand>['body'];

/** The newest commands of a device. */
const NEWEST = 10;

export const sentCommandsQuery = (device: string) =>
  queryOptions({
    queryKey: ['commands', 'sent', device],
    queryFn: async ({ signal }) =>
      (await call(sentCommands.listSentCommands, { query: { device, limit: NEWEST }, signal })).result,
    refetchInterval: REFRESH_MS,
    meta: { topics: ['commands'] },
  });

/** A page of all commands of the organization, of one device or one job. */
export const fetchSentCommands = pagesOf(sentCommands.listSentCommands);

/** Send a command, at once or when the router connects. */
export async function sendCommand(body: SendInput): Promise<SentCommand> {
  return (await call(sentCommands.sendCommand, { body })).result;
}

export async function cancelCommand(id: string): Promise<void> {
  await call(sentCommands.cancelCommand, { params: { id }, body: {} });
}
