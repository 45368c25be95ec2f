import { Button } from '../ui/controls/Button.tsx';
import type { ReactNode } from 'react';
import { Card } from './Card.tsx';
import { useTexts } from './useTexts.ts';

/** It is done; the way on leads to the sign-in. */
export function Done({ title, text, onDone }: { title: string; text: string; onDone: () => void }): ReactNode {
  const texts = useTexts();
  return (
    <Card title={title}>
      <p className="note" role="status">
        {text}
      </p>
      <Button variant="filled" fullWidth autoFocus onClick={onDone}>
        {texts.signIn}
      </Button>
    </Card>
  );
}

/** A problem of the form as a whole. */
export function Problem({ text }: { text: string | undefined }): ReactNode {
  if (text === undefined) return null;
  return (
    <p className="note note--bad" role="alert">
      {text}
    </p>
  );
}
