import type { ReactNode } from 'react';
import { useMessageText } from '../../api/useErrorText.ts';

/** Why no row of a file was taken; nothing if there is no reason for all of them. */
export function FileReason({ reason }: { reason: string | undefined }): ReactNode {
  const messageText = useMessageText();
  return reason === undefined ? null : <p className="bad">{messageText(reason)}</p>;
}
