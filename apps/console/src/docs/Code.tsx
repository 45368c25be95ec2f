import { type ReactNode, useState } from 'react';
import { copyText } from '../ui/copy-text.ts';
import { useDocsTexts } from './texts.ts';

/** Text to copy. */
export function Code({ text }: { readonly text: string }): ReactNode {
  const t = useDocsTexts();
  const [copied, setCopied] = useState('');
  return (
    <div className="docs__code">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable with the keyboard */}
      <pre tabIndex={0}>{text}</pre>
      <button
        type="button"
        onClick={(event) => void copyText(text, event.currentTarget).then((isCopied) => isCopied && setCopied(text))}
      >
        {copied === text ? t.copied : t.copy}
      </button>
    </div>
  );
}
