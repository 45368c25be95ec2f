import { summaries } from '@highline/contract';
import { Button } from '../ui/controls/Button.tsx';
import { type ReactNode, useState } from 'react';
import { call } from '../api/client.ts';
import { Card } from './Card.tsx';
import { Problem } from './Outcome.tsx';
import { useFailureText, useTexts } from './useTexts.ts';

export interface SummaryLinkProps {
  readonly purpose: 'confirm' | 'unsubscribe';
  readonly token: string;
}

/** The page of a link about reports by mail: to get them at an address, or no longer. A press decides, since programs open links too (RPM-03). */
export function SummaryLink({ purpose, token }: SummaryLinkProps): ReactNode {
  const texts = useTexts();
  const failureText = useFailureText();
  const [state, setState] = useState<'open' | 'busy' | 'done' | { readonly error: unknown }>('open');
  const title = purpose === 'confirm' ? texts.reportsTitle : texts.noReportsTitle;
  const send = async () => {
    setState('busy');
    try {
      await call(summaries.answerLink, { query: { token }, body: {} });
      setState('done');
    } catch (error) {
      setState({ error });
    }
  };
  if (state === 'done')
    return (
      <Card title={title}>
        <p className="note" role="status">
          {purpose === 'confirm' ? texts.reportsDone : texts.noReportsDone}
        </p>
      </Card>
    );
  return (
    <Card title={title}>
      <Problem text={typeof state === 'object' ? failureText(state.error) : undefined} />
      <Button variant="filled" fullWidth autoFocus loading={state === 'busy'} onClick={() => void send()}>
        {purpose === 'confirm' ? texts.reportsConfirm : texts.noReportsConfirm}
      </Button>
    </Card>
  );
}
